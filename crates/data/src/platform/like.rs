/// What keeps a sign of a pattern from meaning anything: `LIKE $1 ESCAPE '!'`.
pub(super) const ESCAPE: &str = "ESCAPE '!'";

/// A pattern for texts that hold this one, as it is.
pub(super) fn holding(text: &str) -> String {
    let mut pattern = "%".to_owned();
    for c in text.chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}
