//! YAML of the workspace's files, with places in what is wrong with it.

use serde::de::DeserializeOwned;
use toolcrib::nearest;
use toolcrib_data::records::LinkedModel;

/// What is wrong, with its line and column.
pub(super) type Told = (usize, usize, String);

/// Reads YAML that has so many lines of the file before it.
pub(super) fn read<T: DeserializeOwned>(text: &str, before: usize) -> Result<T, Told> {
    serde_saphyr::from_str(text).map_err(|error| {
        let at = error.location();
        let number = |number: Option<u64>| usize::try_from(number.unwrap_or(1)).unwrap_or(1);
        let message = error.without_snippet().to_string();
        // The place is told once, in the numbers of the file.
        let message = message.split(" at line ").next().unwrap_or_default();
        let line = number(at.as_ref().map(|at| at.line())) + before;
        let column = number(at.as_ref().map(|at| at.column()));
        (line, column, message.to_owned())
    })
}

/// Line and column of the first place where a word stands.
pub(super) fn place(text: &str, word: &str) -> (usize, usize) {
    for (number, line) in text.lines().enumerate() {
        if let Some(at) = line.find(word) {
            return (number + 1, line.chars().count().min(at) + 1);
        }
    }
    (1, 1)
}

/// Line and column of the first key that is spoken of, of keys that stand at the beginning of a line.
pub(super) fn place_of_key(text: &str, told: &str) -> (usize, usize) {
    let keys = text.lines().enumerate();
    let mut keys = keys.filter_map(|(number, line)| Some((number, line.split_once(':')?.0)));
    let found = keys.find(|(_, key)| !key.is_empty() && told.contains(key));
    (found.map_or(1, |(number, _)| number + 1), 1)
}

/// What is told of a tool that there is not, with the nearest names.
pub(super) fn unknown_tool(name: &str, linked: &[LinkedModel]) -> String {
    let names = tools(linked);
    let near = nearest(name, names.iter().map(String::as_str), 3);
    let hint = match near.is_empty() {
        true => String::new(),
        false => format!(", did you mean `{}`?", near.join("` or `")),
    };
    format!("there is no tool `{name}`{hint}")
}

/// The names of the tools that there are with these linked data models.
pub(super) fn tools(linked: &[LinkedModel]) -> Vec<String> {
    let built_in = toolcrib_tools::NAMES.iter().map(|name| (*name).to_owned());
    let functions = linked.iter().flat_map(LinkedModel::tools);
    built_in.chain(functions).collect()
}
