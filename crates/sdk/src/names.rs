/// How much of a name is compared, in characters: what is longer is no slip of the pen, and a model
/// may write megabytes.
const COMPARED: usize = 100;

/// The `most` names that look most like `wanted`, nearest first; only those that a typing
/// error or a confusion could explain.
///
/// ```
/// assert_eq!(toolcrib::nearest("serch_records", ["read_record", "search_records"], 3), ["search_records"]);
/// ```
pub fn nearest<'a>(
    wanted: &str,
    names: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<&'a str> {
    let wanted = comparable(wanted);
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&wanted, &comparable(name)), name))
        .filter(|(score, _)| *score >= 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored
        .into_iter()
        .take(most)
        .map(|(_, name)| name)
        .collect()
}

fn comparable(name: &str) -> String {
    name.chars()
        .take(COMPARED)
        .flat_map(char::to_lowercase)
        .collect()
}
