use serde_json::{Number, Value};

use super::cell::Cell;

/// Up to this many digits a decimal is a scaled integer.
pub(crate) const INTEGER_DIGITS: u32 = 18;
/// The digits that a JSON number carries through floating point unharmed.
const FLOAT_DIGITS: usize = 15;

/// Reads a decimal, exactly.
pub(crate) fn parse(precision: u32, scale: u32, value: &Value) -> Result<Cell, String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => exact_text(number)?,
        other => {
            return Err(format!(
                "{}; got {}",
                expected(scale),
                super::parse::kind_of(other)
            ));
        }
    };
    let digits = digits(&text, precision, scale)?;
    if precision > INTEGER_DIGITS {
        return Ok(Cell::Text(place_point(&digits, scale)));
    }
    digits.parse().map(Cell::Int).map_err(|_| expected(scale))
}

/// Writes a stored decimal with exactly its scale.
pub(crate) fn render(scale: u32, stored: i64) -> String {
    place_point(&stored.to_string(), scale)
}

fn expected(scale: u32) -> String {
    let example = place_point("1250", scale.min(3));
    format!("must be a decimal as a string, e.g. \"{example}\"")
}

fn exact_text(number: &Number) -> Result<String, String> {
    let text = number.to_string();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if number.is_f64() && (text.contains(['e', 'E']) || digits > FLOAT_DIGITS) {
        return Err(format!(
            "{text} is not exact as a JSON number; write it as a string"
        ));
    }
    Ok(text)
}

/// The digits with their sign and without the point, as many decimals as the scale says.
fn digits(text: &str, precision: u32, scale: u32) -> Result<String, String> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return Err(format!(
            "{}; got \"{}\"",
            expected(scale),
            crate::records::nearest::clip(text)
        ));
    }
    let fraction = fraction.trim_end_matches('0');
    let scale = usize::try_from(scale).unwrap_or(usize::MAX);
    if fraction.len() > scale {
        return Err(format!(
            "has {} decimals; at most {scale} are kept",
            fraction.len()
        ));
    }
    let whole = whole.trim_start_matches('0');
    let room = usize::try_from(precision)
        .unwrap_or(usize::MAX)
        .saturating_sub(scale);
    if whole.len() > room {
        return Err(format!(
            "has {} digits before the point; at most {room} fit",
            whole.len()
        ));
    }
    let digits = format!("{whole}{fraction:0<scale$}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        Ok("0".to_owned())
    } else {
        Ok(format!("{sign}{digits}"))
    }
}

fn place_point(digits: &str, scale: u32) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let scale = usize::try_from(scale).unwrap_or(0);
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    let padded = format!("{digits:0>width$}", width = scale + 1);
    let (whole, fraction) = padded.split_at(padded.len() - scale);
    format!("{sign}{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(value: &Value) -> Result<Cell, String> {
        parse(12, 2, value)
    }

    #[test]
    fn strings_and_exact_numbers_are_read() {
        for (value, stored) in [
            (json!("1250.50"), 125_050),
            (json!("-0.05"), -5),
            (json!("+7"), 700),
            (json!("0.000"), 0),
            (json!("-0"), 0),
            (json!(12), 1200),
            (json!(12.5), 1250),
            (json!(0.1), 10),
        ] {
            assert_eq!(read(&value), Ok(Cell::Int(stored)), "{value}");
        }
    }

    #[test]
    fn what_is_not_exact_is_refused() {
        for value in [
            json!("1.005"),
            json!(1.005),
            json!("1e3"),
            json!(1e30),
            json!(""),
            json!("."),
            json!("1."),
            json!(true),
        ] {
            assert!(read(&value).is_err(), "{value}");
        }
        assert!(parse(38, 10, &json!(0.123_456_789_012_345_67)).is_err());
        assert_eq!(
            read(&json!("12345678901")),
            Err("has 11 digits before the point; at most 10 fit".to_owned())
        );
    }

    #[test]
    fn long_ones_are_text_with_their_scale() {
        let text = "12345678901234567890.1234";
        assert_eq!(parse(30, 4, &json!(text)), Ok(Cell::Text(text.to_owned())));
        assert_eq!(
            parse(30, 4, &json!("0.5")),
            Ok(Cell::Text("0.5000".to_owned()))
        );
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(stored in -999_999_999_999_i64..=999_999_999_999, scale in 0_u32..=6) {
            let text = render(scale, stored);
            prop_assert_eq!(parse(18, scale, &json!(text)), Ok(Cell::Int(stored)));
        }
    }
}
