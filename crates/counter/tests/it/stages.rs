//! The path as it is written: each stage a file, in order, with the ways out that a stage has.

use std::path::{Path, PathBuf};

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(source(name)).unwrap()
}

/// A stage as `walk` names it: the file that is called, and `(number, name)` of what it does.
struct Called {
    file: String,
    function: String,
    stages: Vec<(u32, String)>,
}

/// The calls of `walk`, which has each stage's number and name beside it.
fn walk() -> Vec<Called> {
    let path = read("path.rs");
    let body = path.split_once("\nasync fn walk(").unwrap().1;
    let body = body.split_once("\n}\n").unwrap().0;
    let mut called = Vec::new();
    for line in body.lines().filter(|line| line.contains("// ")) {
        let (code, comment) = line.split_once("// ").unwrap();
        let (before, after) = code.split_once("::").unwrap();
        let stages = comment.split(',').map(|stage| {
            let (number, name) = stage.trim().split_once(' ').unwrap();
            (number.parse().unwrap(), name.to_owned())
        });
        called.push(Called {
            file: before.rsplit([' ', '(']).next().unwrap().to_owned(),
            function: after.split('(').next().unwrap().to_owned(),
            stages: stages.collect(),
        });
    }
    called
}

/// The numbers in the first sentence of a file, if that says that it is a stage.
fn numbers_of(name: &str) -> Vec<u32> {
    let Ok(text) = std::fs::read_to_string(source(name)) else {
        return Vec::new();
    };
    let head = text.lines().next().unwrap_or_default();
    let Some(head) = head.strip_prefix("//! Stage") else {
        return Vec::new();
    };
    let head = head.split([':', '.']).next().unwrap();
    head.split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect()
}

#[test]
fn each_stage_is_a_file_and_they_come_in_the_order_of_the_path() {
    let walk = walk();
    let numbers: Vec<u32> = walk
        .iter()
        .flat_map(|called| called.stages.iter().map(|(number, _)| *number))
        .collect();
    assert!(
        numbers.windows(2).all(|two| two[0] < two[1]),
        "out of order: {numbers:?}"
    );
    for stage in 1..=14 {
        assert!(numbers.contains(&stage), "stage {stage} is not walked");
    }
    for called in &walk {
        let file = format!("path/{}.rs", called.file);
        assert!(source(&file).exists(), "{file} is missing");
        for (number, name) in &called.stages {
            let own = name.replace(' ', "_");
            // Events before and after a call are one file.
            let files = [
                file.clone(),
                format!("path/{own}.rs"),
                format!("{own}.rs"),
                "path/events.rs".to_owned(),
            ];
            assert!(
                files.iter().any(|file| numbers_of(file).contains(number)),
                "no file says that it is stage {number} ({name}): {files:?}"
            );
        }
    }
    // No stage but those of the walk stands beside it.
    for entry in std::fs::read_dir(source("path")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        for number in numbers_of(&format!("path/{name}")) {
            assert!(numbers.contains(&number), "{name} is a stage {number}");
        }
    }
}

#[test]
fn a_stage_passes_or_stops_in_one_of_four_ways() {
    let passage = read("path/passage.rs");
    let stop = passage.split_once("pub(crate) enum Stop {").unwrap().1;
    let stop = stop.split_once("\n}").unwrap().0;
    let ways: Vec<&str> = stop
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("///"))
        .map(|line| line.split(['(', ',']).next().unwrap())
        .collect();
    // To be stopped is a way to fail, with an ending of its own.
    assert_eq!(ways, ["Refused", "Failed", "Cancelled", "Waiting", "Error"]);
    for called in walk() {
        let text = read(&format!("path/{}.rs", called.file));
        let signature = text
            .split_once(&format!("fn {}(", called.function))
            .unwrap()
            .1;
        let answer = signature.split_once(") -> ").unwrap().1;
        let answer = answer.split_once(" {\n").unwrap().0;
        assert!(
            answer.starts_with("Result<") && answer.ends_with(", Stop>"),
            "{}::{} answers with {answer}",
            called.file,
            called.function
        );
    }
}

#[test]
fn only_the_stage_of_approval_lets_a_call_wait() {
    for entry in std::fs::read_dir(source("path")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let waits = read(&format!("path/{name}")).contains("Stop::Waiting");
        assert_eq!(waits, name == "approval.rs", "{name}");
    }
}
