//! The map of the crates, as ARCHITECTURE.md draws it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each crate with the ones of ours that it may use.
const MAY_USE: &[(&str, &[&str])] = &[
    ("macros", &[]),
    ("sdk", &["toolcrib-macros"]),
    ("data", &["toolcrib"]),
    ("counter", &["toolcrib", "toolcrib-data"]),
    ("tools", &["toolcrib", "toolcrib-data", "toolcrib-counter"]),
    (
        "runtime",
        &[
            "toolcrib",
            "toolcrib-data",
            "toolcrib-counter",
            "toolcrib-tools",
        ],
    ),
    (
        "server",
        &[
            "toolcrib",
            "toolcrib-data",
            "toolcrib-counter",
            "toolcrib-runtime",
        ],
    ),
    (
        "cli",
        &[
            "toolcrib",
            "toolcrib-data",
            "toolcrib-counter",
            "toolcrib-runtime",
            "toolcrib-server",
        ],
    ),
    (
        "testkit",
        &[
            "toolcrib",
            "toolcrib-data",
            "toolcrib-counter",
            "toolcrib-tools",
            "toolcrib-runtime",
            "toolcrib-server",
        ],
    ),
];

/// Libraries that stay where they belong.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("sqlx", &["data"]),
    ("sea-query", &["data"]),
    ("axum", &["server", "testkit"]),
    ("utoipa", &["server", "runtime"]),
    ("clap", &["cli"]),
    ("reqwest", &["testkit"]),
    ("rust-embed", &["server"]),
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn dependencies(name: &str) -> BTreeSet<String> {
    let text = std::fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
    let manifest: toml::Table = toml::from_str(&text).unwrap();
    let table = manifest.get("dependencies").and_then(toml::Value::as_table);
    table
        .into_iter()
        .flat_map(|table| table.keys().cloned())
        .collect()
}

#[test]
fn every_crate_is_on_the_map() {
    let found: BTreeSet<String> = std::fs::read_dir(crates())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let known: BTreeSet<String> = MAY_USE.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, known);
}

#[test]
fn dependencies_run_one_way() {
    for (name, allowed) in MAY_USE {
        let ours = dependencies(name)
            .into_iter()
            .filter(|dependency| dependency.starts_with("toolcrib"));
        for dependency in ours {
            assert!(
                allowed.contains(&dependency.as_str()),
                "{name} must not use {dependency}"
            );
        }
    }
}

#[test]
fn libraries_stay_where_they_belong() {
    for (library, allowed) in ONLY_IN {
        for (name, _) in MAY_USE.iter().filter(|(name, _)| !allowed.contains(name)) {
            assert!(
                !dependencies(name).contains(*library),
                "{name} must not use {library}"
            );
        }
    }
}

#[test]
fn files_stay_small() {
    let mut folders = vec![crates()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let lines = std::fs::read_to_string(&path).unwrap().lines().count();
                assert!(lines <= 800, "{} has {lines} lines", path.display());
            }
        }
    }
}

#[test]
fn the_sdk_reads_no_environment() {
    let mut folders = vec![crates().join("sdk/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for reads in ["env::var", "env::vars", "dotenv"] {
                assert!(
                    !text.contains(reads),
                    "{} reads the environment",
                    path.display()
                );
            }
        }
    }
}
