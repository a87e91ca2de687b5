use toolcrib::{ToolName, ToolSetError};

use crate::scripted::{EchoTool, tools};

#[test]
fn a_duplicate_name_is_an_error() {
    let mut tools = tools();
    assert!(matches!(tools.add(EchoTool), Err(ToolSetError::Duplicate(name)) if name == "echo"));
    assert_eq!(tools.count(), 1);
    assert_eq!(tools.definitions()[0].name.as_str(), "echo");
}

#[test]
fn names_begin_with_a_letter_and_have_at_most_64_characters() {
    let longest = format!("a{}", "b".repeat(63));
    for good in ["a", "read_record", "A9_", longest.as_str()] {
        assert!(good.parse::<ToolName>().is_ok(), "{good}");
    }
    let too_long = format!("a{}", "b".repeat(64));
    for bad in ["", "9a", "_a", "a-b", "a b", "ä", too_long.as_str()] {
        assert!(bad.parse::<ToolName>().is_err(), "{bad}");
    }
}
