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
    let wanted = wanted.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&wanted, &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored
        .into_iter()
        .take(most)
        .map(|(_, name)| name)
        .collect()
}
