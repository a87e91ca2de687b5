//! Every public item has an example, or says where it is shown.

use std::path::{Path, PathBuf};

/// Files whose items are public only in name: nobody outside can name them.
const INSIDE: &[&str] = &["model/http/", "macros.rs"];

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            found.push(path);
        }
    }
}

fn is_item(line: &str) -> bool {
    [
        "struct ",
        "enum ",
        "trait ",
        "fn ",
        "async fn ",
        "type ",
        "const ",
    ]
    .iter()
    .any(|kind| {
        line.strip_prefix("pub ")
            .is_some_and(|rest| rest.starts_with(kind))
    })
}

/// An example, or a link to what shows it.
fn is_shown(docs: &[&str]) -> bool {
    docs.iter()
        .any(|line| line.contains("```") || line.contains("[`"))
}

#[test]
fn every_public_item_has_an_example_or_says_where_it_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    files(&root, &mut found);
    for path in found {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        if INSIDE.iter().any(|inside| name.starts_with(inside)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut docs: Vec<&str> = Vec::new();
        for line in text.lines() {
            if line.starts_with("///") {
                docs.push(line);
            } else if is_item(line) {
                if !is_shown(&docs) {
                    missing.push(format!("{name}: {line}"));
                }
                docs.clear();
            } else if !line.starts_with("#[") && !line.starts_with(' ') && !line.starts_with(")]") {
                docs.clear();
            }
        }
    }
    assert!(
        missing.is_empty(),
        "{} items:\n{}",
        missing.len(),
        missing.join("\n")
    );
}
