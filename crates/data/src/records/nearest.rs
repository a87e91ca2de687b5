/// At most this many names are offered.
const OFFERED: usize = 3;

/// The known names that look like `name`, best first.
pub(super) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let short: String = name.chars().take(64).collect();
    let lower = short.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|other| (strsim::jaro_winkler(&lower, &other.to_lowercase()), other))
        .filter(|(score, _)| *score >= 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored
        .into_iter()
        .take(OFFERED)
        .map(|(_, other)| other)
        .collect()
}

/// The end of a message about an unknown name: what may have been meant, or what there is.
pub(super) fn did_you_mean<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = nearest(name, known.iter().copied());
    if near.is_empty() {
        if known.is_empty() {
            return String::new();
        }
        let some: Vec<String> = known
            .iter()
            .take(40)
            .map(|name| format!("`{name}`"))
            .collect();
        let more = if known.len() > 40 { ", …" } else { "" };
        return format!("; there are {}{more}", some.join(", "));
    }
    let near: Vec<String> = near.into_iter().map(|name| format!("`{name}`")).collect();
    format!(", did you mean {}?", near.join(" or "))
}

/// Text of a caller, short enough to be repeated in a message.
pub(super) fn clip(text: &str) -> String {
    let short: String = text
        .chars()
        .take(60)
        .map(|c| if c.is_control() { '�' } else { c })
        .collect();
    if text.chars().nth(60).is_some() {
        format!("{short}…")
    } else {
        short
    }
}

#[cfg(test)]
mod tests {
    use super::{clip, did_you_mean, nearest};

    #[test]
    fn a_slip_finds_its_name() {
        assert_eq!(nearest("tittle", ["title", "help", "name"]), ["title"]);
        assert_eq!(
            did_you_mean("tittle", ["title", "help"]),
            ", did you mean `title`?"
        );
    }

    #[test]
    fn without_a_near_name_all_are_told() {
        assert_eq!(
            did_you_mean("zzz", ["title", "help"]),
            "; there are `title`, `help`"
        );
        assert_eq!(did_you_mean("zzz", []), "");
    }

    #[test]
    fn long_text_is_not_repeated() {
        assert_eq!(clip(&"a".repeat(5_000_000)).chars().count(), 61);
    }
}
