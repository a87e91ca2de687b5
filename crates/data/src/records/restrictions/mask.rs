use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::origins::{Origins, UNKNOWN, touched, way};
use super::tags::Tags;
use super::{Recipient, Withheld};
use crate::records::model::{ID, Model};

/// What stands in place of a value that is kept from the reader.
pub const MARKER: &str = "[restricted]";

/// What is told around the records of an answer, and holds none of their values.
const AROUND_RECORDS: &[&str] = &[
    "model",
    "missing",
    "deleted",
    "total",
    "totalIsExact",
    "limit",
    "offset",
];
/// The same around the activity of a record.
const AROUND_ACTIVITY: &[&str] = &["model", "id", "missing", "truncated"];
/// What is told of a call in it, beside what it changed.
const ENTRY: &[&str] = &[
    "at",
    "by",
    "tool",
    "operation",
    "via",
    "agent",
    "changesKept",
];
/// The same around rows; what a widget is told comes from the caller.
const AROUND_ROWS: &[&str] = &[
    "widget",
    "title",
    "props",
    "columns",
    "truncated",
    "limit",
    "offset",
];

/// Which form a stored output has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The whole of it.
    Whole,
    /// The beginning of one that is too large: text that can't be taken apart.
    Preview,
}

/// What a reader may receive, and what was taken out of it.
type Received = (Value, Withheld);

impl Recipient<'_> {
    /// The output as the reader may receive it. What can't be taken apart is withheld whole.
    #[must_use]
    pub fn output(&self, output: Value, tags: Option<&Tags>, form: Form) -> Received {
        if self.receives_all() {
            return (output, Withheld::default());
        }
        let mut mask = Mask {
            to: self,
            withheld: Withheld::default(),
        };
        let output = match (tags, form) {
            (Some(Tags::Nothing), _) => output,
            (None, _) => mask.whole([UNKNOWN]),
            (Some(tags), _) if !mask.kept_at_all(tags).is_empty() => {
                mask.whole(mask.kept_at_all(tags).iter().map(String::as_str))
            }
            (Some(tags), Form::Preview) => mask.preview(output, tags),
            (Some(tags), Form::Whole) => mask.parts(output, tags),
        };
        (output, mask.withheld)
    }

    /// Whether the reader may receive words with these tags; else what is taken out.
    ///
    /// # Errors
    /// What of the words is kept from it.
    pub fn words(&self, tags: Option<&Tags>) -> Result<(), Withheld> {
        if self.receives_all() {
            return Ok(());
        }
        let mut withheld = Withheld::default();
        match tags {
            Some(Tags::Nothing) => {}
            Some(Tags::Words { models }) => {
                for rule in self.rules().filter(|rule| models.contains(&rule.model)) {
                    // Not the name of a field, nor of the whole model: who was kept from words may
                    // have seen the rest.
                    withheld.add(format!("{}.{UNKNOWN}", rule.model));
                }
            }
            _ => withheld.add(UNKNOWN),
        }
        if withheld.is_empty() {
            Ok(())
        } else {
            Err(withheld)
        }
    }
}

struct Mask<'m, 'a> {
    to: &'m Recipient<'a>,
    withheld: Withheld,
}

impl Mask<'_, '_> {
    fn whole<'o>(&mut self, of: impl IntoIterator<Item = &'o str>) -> Value {
        for field in of {
            self.withheld.add(field);
        }
        MARKER.into()
    }

    /// Why nothing of the output may be received: a whole model is kept, or it was found by what
    /// is kept.
    fn kept_at_all(&self, tags: &Tags) -> Vec<String> {
        let mut decisive = match tags {
            Tags::Nothing | Tags::Changes { .. } | Tags::Activity { .. } => Origins::new(),
            Tags::Records { probes, .. } | Tags::Rows { probes, .. } => probes.clone(),
            // Words are no output.
            Tags::Words { .. } => Origins::from([UNKNOWN.to_owned()]),
        };
        if let Tags::Records { model, .. }
        | Tags::Changes { model, .. }
        | Tags::Activity { model, .. } = tags
        {
            decisive.insert(touched(model));
        }
        let kept = self.to.kept_of(&decisive);
        kept.into_iter().map(str::to_owned).collect()
    }

    fn parts(&mut self, output: Value, tags: &Tags) -> Value {
        let Value::Object(mut output) = output else {
            return self.whole([UNKNOWN]);
        };
        let around = match tags {
            Tags::Rows { .. } => AROUND_ROWS,
            Tags::Activity { .. } => AROUND_ACTIVITY,
            _ => AROUND_RECORDS,
        };
        for (key, value) in &mut output {
            match (key.as_str(), tags) {
                ("records", Tags::Records { model, .. }) => self.each(value, |mask, record| {
                    mask.record(record, model);
                }),
                ("records", Tags::Changes { model, .. }) => self.each(value, |mask, record| {
                    mask.changes(record, model);
                }),
                ("activity", Tags::Activity { model, .. }) => self.each(value, |mask, entry| {
                    mask.entry(entry, model);
                }),
                ("rows", Tags::Rows { columns, .. }) => {
                    self.each(value, |mask, row| mask.row(row, columns));
                }
                ("summaries", Tags::Rows { summaries, .. }) => match value.as_object_mut() {
                    Some(row) => self.row(row, summaries),
                    None => *value = self.whole([UNKNOWN]),
                },
                (key, _) if around.contains(&key) => {}
                _ => *value = self.whole([UNKNOWN]),
            }
        }
        output.into()
    }

    /// Each object of a list; what is none is withheld.
    fn each(&mut self, list: &mut Value, one: impl Fn(&mut Self, &mut Map<String, Value>)) {
        let Some(items) = list.as_array_mut() else {
            *list = self.whole([UNKNOWN]);
            return;
        };
        for item in items {
            match item.as_object_mut() {
                Some(object) => one(self, object),
                None => *item = self.whole([UNKNOWN]),
            }
        }
    }

    fn record(&mut self, record: &mut Map<String, Value>, model: &str) {
        for (field, value) in record {
            self.value(value, model, field);
        }
    }

    fn changes(&mut self, record: &mut Map<String, Value>, model: &str) {
        for (key, value) in record {
            match key.as_str() {
                "changes" => self.each_change(value, model),
                key => self.value(value, model, key),
            }
        }
    }

    fn entry(&mut self, entry: &mut Map<String, Value>, model: &str) {
        for (key, value) in entry {
            match key.as_str() {
                "changes" => self.each_change(value, model),
                key if ENTRY.contains(&key) => {}
                _ => *value = self.whole([UNKNOWN]),
            }
        }
    }

    fn each_change(&mut self, changes: &mut Value, model: &str) {
        self.each(changes, |mask, change| {
            let field = change.get("field").and_then(Value::as_str);
            let field = field.unwrap_or(UNKNOWN).to_owned();
            for (key, value) in change {
                if !matches!(key.as_str(), "field" | "withheld") {
                    mask.value(value, model, &field);
                }
            }
        });
    }

    fn row(&mut self, row: &mut Map<String, Value>, columns: &BTreeMap<String, Origins>) {
        let unknown = Origins::from([UNKNOWN.to_owned()]);
        for (name, value) in row {
            let origins = columns.get(name).unwrap_or(&unknown);
            let kept = self.to.kept_of(origins);
            if !kept.is_empty() {
                *value = self.whole(kept);
            }
        }
    }

    /// The value of a field of a record, or of a path from it.
    fn value(&mut self, value: &mut Value, model: &str, path: &str) {
        let (kept, display) = self.kept_of_path(model, path);
        if !kept.is_empty() {
            *value = self.whole(kept.iter().map(String::as_str));
            return;
        }
        let Some(kept) = display else { return };
        match value.as_array_mut() {
            Some(items) => items.iter_mut().for_each(|item| self.display(item, &kept)),
            None => self.display(value, &kept),
        }
    }

    /// What names the record that a relation leads to.
    fn display(&mut self, value: &mut Value, kept: &str) {
        // A relation that leads nowhere, or whose record can't be read, names nothing.
        if value.is_null() || value.get("withheld").is_some() || value.get("more").is_some() {
            return;
        }
        let marker = self.whole([kept]);
        match value.get_mut("display") {
            Some(shown) => *shown = marker,
            None => *value = marker,
        }
    }

    /// What is kept of the value at the end of a path; and of what names the record that it leads to.
    fn kept_of_path(&self, model: &str, path: &str) -> (BTreeSet<String>, Option<String>) {
        let catalog = self.to.catalog;
        let found = catalog
            .model(model)
            .and_then(|model| way(catalog, model, path));
        let Some(way) = found else {
            return (BTreeSet::from([UNKNOWN.to_owned()]), None);
        };
        let kept = self.to.kept_of(&way.origins).into_iter().map(str::to_owned);
        let display = way.target.and_then(|target| self.kept_display(target));
        (kept.collect(), display)
    }

    fn kept_display(&self, target: &Model) -> Option<String> {
        let field = target
            .field(&target.display)
            .map_or(ID, |field| &field.name);
        let is_kept = self.to.is_kept(&target.name, field);
        is_kept.then(|| format!("{}.{field}", target.name))
    }

    /// The beginning of a large output is text: it goes if there is anything in it to keep.
    fn preview(&mut self, output: Value, tags: &Tags) -> Value {
        let mut kept: BTreeSet<String> = BTreeSet::new();
        match tags {
            Tags::Records { model, fields, .. }
            | Tags::Changes { model, fields }
            | Tags::Activity { model, fields } => {
                for field in fields {
                    let (value, display) = self.kept_of_path(model, field);
                    kept.extend(value.into_iter().chain(display));
                }
            }
            Tags::Rows {
                columns, summaries, ..
            } => {
                for origins in columns.values().chain(summaries.values()) {
                    let of = self.to.kept_of(origins).into_iter().map(str::to_owned);
                    kept.extend(of);
                }
            }
            Tags::Nothing | Tags::Words { .. } => {}
        }
        if kept.is_empty() {
            return output;
        }
        let Value::Object(mut output) = output else {
            return self.whole([UNKNOWN]);
        };
        let marker = self.whole(kept.iter().map(String::as_str));
        output.insert("preview".to_owned(), marker);
        output.into()
    }
}
