//! What stays behind which crate, and the one list of states.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolcrib::state::CallState;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The Rust files below a folder, by their paths in the repository, each without its unit tests.
fn sources(below: &str) -> Vec<(String, String)> {
    let (root, mut found) = (root(), Vec::new());
    let mut folders = vec![root.join(below)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap().to_owned();
                let path = path.strip_prefix(&root).unwrap();
                found.push((path.to_str().unwrap().to_owned(), text));
            }
        }
    }
    assert!(!found.is_empty(), "{below} holds no source");
    found
}

/// Routes that change a row of the platform's own, which is no call.
const OWN_ROWS: [&str; 4] = [
    "crates/server/src/routes/conversations/rename.rs",
    "crates/server/src/routes/grants/revoke.rs",
    "crates/server/src/routes/session/delete.rs",
    "crates/server/src/routes/tokens/revoke.rs",
];

#[test]
fn no_tool_and_no_records_begin_or_end_a_unit() {
    for below in [
        "crates/sdk/src",
        "crates/tools/src",
        "crates/server/src",
        "crates/cli/src",
        "crates/data/src/records",
    ] {
        for (path, text) in sources(below) {
            let words = [".unit(", ".unit_alone(", ".unit_on(", ".commit("];
            let found = words.iter().find(|word| text.contains(**word));
            let is_allowed = OWN_ROWS.contains(&path.as_str());
            assert!(found.is_none() || is_allowed, "{path}: {found:?}");
        }
    }
    // The counter does, for calls; and a unit is made by the store alone.
    let counter = sources("crates/counter/src");
    assert!(counter.iter().any(|(_, text)| text.contains(".commit(")));
    for (path, text) in sources("crates/data/src") {
        let makes = text.contains("Unit::new(") || text.contains("Unit::on(");
        let is_home = ["store.rs", "connections.rs", "sqlite/writer.rs"]
            .iter()
            .any(|home| path == format!("crates/data/src/{home}"));
        assert!(!makes || is_home, "{path} makes a unit");
    }
}

/// The names that a file takes from `sqlx`.
fn taken(text: &str) -> BTreeSet<String> {
    let uses = text.split("use sqlx").skip(1);
    let uses = uses.filter_map(|rest| rest.split(';').next());
    uses.flat_map(|names| names.split(|c: char| !c.is_alphanumeric()))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(str::to_owned)
        .chain(["sqlx".to_owned()])
        .collect()
}

/// What a file shows to other crates: items up to their bodies, and fields.
fn shown(text: &str) -> Vec<String> {
    let mut shown = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.trim();
        if !line.starts_with("pub ") {
            continue;
        }
        let mut item = line.to_owned();
        while !item.contains(['{', ';', '(', ':', '='])
            || item.matches('(').count() > item.matches(')').count()
        {
            let Some(next) = lines.next() else { break };
            item.push_str(next.trim());
        }
        let is_private_field = item.starts_with("pub struct") && !item.contains("(pub ");
        if !is_private_field {
            shown.push(item);
        }
    }
    shown
}

#[test]
fn no_type_of_sqlx_is_shown_outside_the_data_crate() {
    let private = ["crates/data/src/conn.rs"];
    let mut seen = 0;
    for (path, text) in sources("crates/data/src") {
        if private.contains(&path.as_str()) {
            continue;
        }
        let names = taken(&text);
        for item in shown(&text) {
            seen += 1;
            let words = item.split(|c: char| !c.is_alphanumeric() && c != '_');
            let found = words.into_iter().find(|word| names.contains(*word));
            assert!(found.is_none(), "{path} shows {found:?}: {item}");
        }
    }
    assert!(seen > 300, "{seen} items were looked at");
    let library = read("crates/data/src/lib.rs");
    assert!(library.contains("\nmod conn;"), "connections are private");
}

/// The words between quotes in what stands after `from` and before the next `until`.
fn quoted(text: &str, from: &str, until: &str, quote: char) -> BTreeSet<String> {
    let (_, rest) = text.split_once(from).unwrap();
    let list = rest.split_once(until).unwrap().0;
    list.split(quote)
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_other_list_of_states_is_of_the_one_list() {
    let all: BTreeSet<String> = CallState::NAMES.iter().map(ToString::to_string).collect();
    let ends = |name: &&str| CallState::parse(name, None).is_ok_and(CallState::is_ending);
    let endings: BTreeSet<String> = CallState::NAMES
        .iter()
        .filter(|name| ends(name))
        .map(ToString::to_string)
        .collect();
    let types = read("web/src/api/types.ts");
    assert_eq!(quoted(&types, "type CallStatus =", ";", '"'), all);
    let reduce = read("web/src/features/chat/stream/reduce.ts");
    assert_eq!(quoted(&reduce, "endedCalls:", "]", '"'), endings);
    let status = read("web/src/components/call/call-status.ts");
    let open: BTreeSet<String> = all.difference(&endings).cloned().collect();
    assert_eq!(quoted(&status, "unfinished:", "]", '"'), open);
    let listed = quoted(&status, "callStatuses = [", "]", '"');
    assert!(listed.is_superset(&endings) && listed.is_subset(&all));
    for language in ["en"] {
        let texts = read(&format!("web/src/lib/messages/{language}/calls.ts"));
        for name in &all {
            assert!(texts.contains(&format!("\"status.{name}\"")), "{name}");
        }
    }
    let list = read("crates/data/src/platform/calls/list.rs");
    let not_done = quoted(&list, "Outcome::NotDone =>", "}", '\'');
    let done = ["succeeded", "superseded"].map(str::to_owned);
    let rest: BTreeSet<String> = endings.difference(&done.into()).cloned().collect();
    assert_eq!(not_done, rest);
}
