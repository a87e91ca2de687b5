use super::problem::{FileProblem, WorkspaceFile};
use super::yaml::{Kind, Node, Place};
use crate::records::nearest::did_you_mean;

/// The most of one file that is read; a model is hand-written and far from it.
const BYTES: usize = 1_000_000;

/// Parses YAML within limits: aliases can make gigabytes out of a few lines.
fn parse(text: &str) -> Result<Node, serde_saphyr::Error> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! { max_nodes: 50_000, max_depth: 64 },
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: 50_000 },
    };
    serde_saphyr::from_str_with_options(text, options)
}

/// Reads one file and gathers what is wrong with it, so that all is reported at once.
#[derive(Debug)]
pub(crate) struct FileReader<'a> {
    path: &'a str,
    problems: &'a mut Vec<FileProblem>,
}

impl<'a> FileReader<'a> {
    /// Parses the file; `None` after a problem was noted.
    pub(crate) fn open(
        file: &'a WorkspaceFile,
        problems: &'a mut Vec<FileProblem>,
    ) -> Option<(Self, Node)> {
        if file.text.len() > BYTES {
            let mut reader = Self {
                path: &file.path,
                problems,
            };
            reader.problem(
                Place { line: 1, column: 1 },
                format!("is larger than {BYTES} bytes"),
            );
            return None;
        }
        match parse(&file.text) {
            Ok(node) => Some((
                Self {
                    path: &file.path,
                    problems,
                },
                node,
            )),
            Err(error) => {
                let place = error
                    .location()
                    .map_or(Place { line: 1, column: 1 }, Place::from);
                let text = error.without_snippet().to_string();
                let message = text.lines().next().unwrap_or("not YAML").to_owned();
                let mut reader = Self {
                    path: &file.path,
                    problems,
                };
                reader.problem(place, format!("not valid YAML: {message}"));
                None
            }
        }
    }

    /// A reader of something that is parsed already.
    pub(crate) fn over(path: &'a str, problems: &'a mut Vec<FileProblem>) -> Self {
        Self { path, problems }
    }

    pub(crate) fn problem(&mut self, place: Place, message: impl Into<String>) {
        self.problems.push(FileProblem {
            path: self.path.to_owned(),
            line: place.line,
            column: place.column,
            message: message.into(),
        });
    }

    /// Checks that `node` is a map with none but the `allowed` keys.
    pub(crate) fn keys(&mut self, node: &Node, what: &str, allowed: &[&str]) -> bool {
        let Kind::Map(entries) = &node.kind else {
            self.problem(
                node.place,
                format!("{what} must be a map with {}", allowed.join(", ")),
            );
            return false;
        };
        for (key, _) in entries {
            let name = key.as_text().unwrap_or_default();
            if !allowed.contains(&name) {
                let hint = did_you_mean(name, allowed.iter().copied());
                self.problem(key.place, format!("{what} has no key `{name}`{hint}"));
            }
        }
        true
    }

    /// The text under `key`, when it is there; a problem when it is something else.
    pub(crate) fn text<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n str> {
        let value = node.get(key)?;
        let text = value.as_text();
        if text.is_none() {
            self.problem(value.place, format!("`{key}` must be text"));
        }
        text
    }

    pub(crate) fn required_text<'n>(&mut self, node: &'n Node, key: &str) -> Option<&'n str> {
        if node.get(key).is_none() {
            self.problem(node.place, format!("`{key}` is missing"));
        }
        self.text(node, key)
    }

    pub(crate) fn flag(&mut self, node: &Node, key: &str) -> bool {
        match node.get(key).map(|value| (&value.kind, value.place)) {
            None => false,
            Some((Kind::Bool(flag), _)) => *flag,
            Some((_, place)) => {
                self.problem(place, format!("`{key}` must be true or false"));
                false
            }
        }
    }

    /// The whole number under `key`, within `range`.
    pub(crate) fn number(
        &mut self,
        node: &Node,
        key: &str,
        range: std::ops::RangeInclusive<u32>,
    ) -> Option<u32> {
        let value = node.get(key)?;
        let number = match &value.kind {
            Kind::Number(number) => number.as_u64().and_then(|n| u32::try_from(n).ok()),
            _ => None,
        };
        match number {
            Some(number) if range.contains(&number) => Some(number),
            _ => {
                let (from, to) = range.into_inner();
                self.problem(
                    value.place,
                    format!("`{key}` must be a whole number from {from} to {to}"),
                );
                None
            }
        }
    }

    /// The texts of a list, or the one text that stands for a list of one.
    pub(crate) fn texts<'n>(&mut self, node: &'n Node, what: &str) -> Vec<(&'n str, Place)> {
        match &node.kind {
            Kind::Text(text) => vec![(text, node.place)],
            Kind::List(items) => {
                let mut texts = Vec::new();
                for item in items {
                    match item.as_text() {
                        Some(text) => texts.push((text, item.place)),
                        None => self.problem(item.place, format!("{what} must be names")),
                    }
                }
                texts
            }
            _ => {
                self.problem(node.place, format!("{what} must be a list of names"));
                Vec::new()
            }
        }
    }
}
