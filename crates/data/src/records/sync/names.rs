use std::collections::BTreeSet;

/// The longest name that is made; a number may come behind it.
const LENGTH: usize = 50;

/// A name in `a-z`, `0-9` and `_` that is like the text.
pub(super) fn name_of(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        let kept = if c.is_ascii_alphanumeric() { c } else { '_' };
        if kept != '_' || !name.ends_with('_') {
            name.push(kept);
        }
    }
    let name: String = name.trim_matches('_').chars().take(LENGTH).collect();
    let name = name.trim_end_matches('_');
    match name.chars().next() {
        None => "x".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("x{name}"),
        Some(_) => name.to_owned(),
    }
}

/// Names that are given already.
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeSet<String>);

impl Taken {
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        Self(names.map(str::to_owned).collect())
    }

    /// The name, or the next like it that is free; it is taken then.
    pub(super) fn free(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        let mut number = 2;
        while !self.0.insert(free.clone()) {
            free = format!("{name}_{number}");
            number += 1;
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_what_can_stand_in_one() {
        for (text, name) in [
            ("Order Date", "order_date"),
            ("CamelCase", "camelcase"),
            ("größe (cm)", "gr_e_cm"),
            ("2nd", "x2nd"),
            ("日本", "x"),
            ("__a__b__", "a_b"),
        ] {
            assert_eq!(name_of(text), name);
        }
        let mut taken = Taken::of(["id"].into_iter());
        assert_eq!(
            [taken.free("id"), taken.free("id"), taken.free("a")],
            ["id_2", "id_3", "a"]
        );
    }
}
