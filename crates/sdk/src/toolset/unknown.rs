use crate::nearest;

/// What is said of a tool name that nobody has: the nearest names, else those that exist.
///
/// ```
/// let text = toolcrib::unknown_tool("ecko", ["echo", "add"].into_iter());
/// assert_eq!(text, "There is no tool named `ecko`. Nearest: echo.");
/// ```
#[must_use]
pub fn unknown_tool<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let shown: String = name.chars().take(80).collect();
    let near = nearest(name, known.clone(), 3);
    if near.is_empty() {
        let all: Vec<&str> = known.take(20).collect();
        if all.is_empty() {
            return format!("There is no tool named `{shown}`, and no other.");
        }
        return format!(
            "There is no tool named `{shown}`. There are: {}.",
            all.join(", ")
        );
    }
    format!(
        "There is no tool named `{shown}`. Nearest: {}.",
        near.join(", ")
    )
}
