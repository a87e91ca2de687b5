//! Records as comma-separated values.

use serde_json::Value;

/// The records with a line of names first. A value that a spreadsheet would run as a formula has a
/// quote before it, which makes it a text.
pub(crate) fn csv(records: &[Value]) -> Result<Vec<u8>, csv::Error> {
    lines(&names(records), Begin::WithNames, records)
}

/// How a piece of a table begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// With the line of names.
    WithNames,
    /// With the first record: it follows on another piece.
    WithRecords,
}

/// The records with these columns.
pub(crate) fn lines(
    names: &[&str],
    begin: Begin,
    records: &[Value],
) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    if begin == Begin::WithNames {
        writer.write_record(names.iter().map(|name| defused(name)))?;
    }
    for record in records {
        writer.write_record(names.iter().map(|name| cell(record.get(name))))?;
    }
    writer.flush()?;
    writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

/// The names of all fields, in the order in which they come up.
fn names(records: &[Value]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in records
        .iter()
        .filter_map(Value::as_object)
        .flat_map(|record| record.keys())
    {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

fn cell(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => defused(text),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Object(record)) => match record.get("display").and_then(Value::as_str) {
            Some(display) => defused(display),
            None => defused(&Value::Object(record.clone()).to_string()),
        },
        Some(Value::Array(items)) => {
            let items: Vec<String> = items.iter().map(|item| cell(Some(item))).collect();
            items.join("; ")
        }
        Some(other) => other.to_string(),
    }
}

fn defused(text: &str) -> String {
    // What spreadsheets pass over, and what some take for the same sign.
    let first = text.trim_start_matches([' ', '\u{feff}', '\u{a0}']);
    let begins = first.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    // A negative number is a number and no formula.
    if begins && !is_number(text) {
        return format!("'{text}");
    }
    text.to_owned()
}

/// Whether a text is digits, with a sign and a point at most.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let mut parts = digits.splitn(2, '.');
    let all = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    parts.next().is_some_and(all) && parts.next().is_none_or(all)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_has_all_fields_and_no_formula() {
        let records = [
            json!({"id": 1, "name": "a,\"b\"", "total": "-12.50", "customer": {"id": 3, "display": "=1+1"}}),
            json!({"id": 2, "name": "=HYPERLINK(\"x\")", "tags": [{"id": 1, "display": "red"}, {"id": 2, "display": "blue"}]}),
            json!({"id": 3, "name": "two\nlines", "open": true, "total": null}),
        ];
        let text = String::from_utf8(csv(&records).unwrap()).unwrap();
        assert_eq!(
            text,
            "id,name,total,customer,tags,open\r\n\
             1,\"a,\"\"b\"\"\",-12.50,'=1+1,,\r\n\
             2,\"'=HYPERLINK(\"\"x\"\")\",,,red; blue,\r\n\
             3,\"two\nlines\",,,,true\r\n"
        );
        assert_eq!(csv(&[]).unwrap(), b"\"\"\r\n");
        for formula in ["-inf", "+1", "-1+1", " =1", "\u{feff}=1", "＝1", "@x"] {
            assert!(defused(formula).starts_with('\''), "{formula}");
        }
        for plain in ["-5", "-12.50", "a=b", "7"] {
            assert_eq!(defused(plain), plain);
        }
    }
}
