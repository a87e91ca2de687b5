//! What a call was asked with and what came of it, without the values of sensitive fields: for who looks
//! after what others did, and for subscribers of events.

use serde_json::Value;
use toolcrib_data::platform::calls::CallRow;
use toolcrib_data::records::{Form, MARKER, Recipient, Tags};

use crate::view::call::{arguments, output};

/// A call's words and values, as such a reader may have them.
pub(crate) struct Masked {
    /// The arguments.
    pub(crate) arguments: Option<Value>,
    /// The result.
    pub(crate) output: Option<Value>,
    /// Why there is none.
    pub(crate) error: Option<String>,
    /// Whether the arguments speak of a sensitive field: what else is told of the call may quote one.
    pub(crate) names_some: bool,
    /// Whether what records are called is kept as well.
    pub(crate) hides_names: bool,
}

impl Masked {
    /// What quotes a value of a sensitive field that the call named goes with it; what can't be taken apart
    /// goes whole.
    pub(crate) fn of(row: &CallRow, reader: &Recipient<'_>) -> Self {
        let whole = Self {
            arguments: arguments(row),
            output: output(row),
            error: row.error.clone(),
            names_some: false,
            hides_names: false,
        };
        if reader.receives_all() {
            return whole;
        }
        let (arguments, names_some) = match whole.arguments {
            Some(arguments) => {
                let (arguments, names_some) = reader.arguments(arguments);
                (Some(arguments), names_some)
            }
            None => (None, false),
        };
        let found = row.found.as_ref();
        let is_record = found.is_some_and(|found| found.kind == "record");
        let hides_names = is_record && reader.hides_names();
        let is_kept = names_some || hides_names;
        Self {
            arguments,
            output: match whole.output {
                // What a hook made of it may hold anything.
                Some(output) if is_record || row.hooks.is_some() => {
                    Some(record_output(row, reader, output))
                }
                output => output,
            },
            error: match whole.error {
                Some(_) if is_kept => Some(MARKER.to_owned()),
                error => error,
            },
            names_some,
            hides_names,
        }
    }
}

fn record_output(row: &CallRow, reader: &Recipient<'_>, output: Value) -> Value {
    let tags = row.tags.as_deref();
    let tags: Option<Tags> = tags.and_then(|tags| serde_json::from_str(tags).ok());
    let form = match row.handle {
        Some(_) => Form::Preview,
        None => Form::Whole,
    };
    reader.output(output, tags.as_ref(), form).0
}
