//! Text of models and records on a terminal, which obeys what it is sent.

use std::io::Write as _;

/// The text without what a terminal would obey: a model must not repaint what a person decides on.
pub(crate) fn plain(text: &str) -> String {
    text.chars()
        .filter(|letter| {
            matches!(letter, '\n' | '\t') || !(letter.is_control() || is_reordering(*letter))
        })
        .collect()
}

/// Characters that change the order in which others are shown.
fn is_reordering(letter: char) -> bool {
    matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// Says a line on standard output. Nobody may be reading any more; that is no reason to end.
pub(crate) fn say(line: &str) {
    drop(writeln!(std::io::stdout(), "{line}"));
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn what_a_terminal_would_obey_is_gone() {
        assert_eq!(
            plain("a\u{1b}[2J\u{1b}]0;x\u{7}\rb\u{202e}c\nd"),
            "a[2J]0;xbc\nd"
        );
    }
}
