use jiff::Timestamp;
use serde_json::Value;

use super::condition::{Comparison, Test};
use super::input::{Criteria, Operator};
use super::variables::{Filled, Variables};
use crate::records::model::{Field, FieldType, ID, KeyType};
use crate::records::values::cell::Cell;
use crate::records::values::decimal::INTEGER_DIGITS;
use crate::records::values::{parse, relative};

/// The most values of `in`.
const IN_VALUES: usize = 1000;
/// The longest text that is compared with; databases limit patterns too.
const TEXT: usize = 10_000;

/// What a comparison was found to be.
#[derive(Debug)]
pub(crate) enum Parsed {
    Test(Test),
    /// Compares with something that the user has not.
    Unknown,
}

/// What a comparison's values are read with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading<'a> {
    pub(crate) now: Timestamp,
    pub(crate) variables: Variables<'a>,
}

/// The operators that values of the type can be compared with.
pub(crate) fn operators(field: &Field) -> &'static [Operator] {
    use Operator::{
        Between, Contains, EndsWith, Eq, Ge, Gt, In, IsNotNull, IsNull, Le, Like, Lt, Ne,
        NotBetween, NotIn, NotLike, StartsWith,
    };
    match &field.kind {
        FieldType::String | FieldType::Text => &[
            Eq, Ne, Gt, Ge, Lt, Le, In, NotIn, Like, NotLike, Contains, StartsWith, EndsWith,
            Between, NotBetween, IsNull, IsNotNull,
        ],
        FieldType::Decimal { precision, .. } if *precision > INTEGER_DIGITS => {
            &[Eq, Ne, In, NotIn, IsNull, IsNotNull]
        }
        FieldType::Integer
        | FieldType::Decimal { .. }
        | FieldType::Float
        | FieldType::Date
        | FieldType::Time
        | FieldType::Datetime => &[
            Eq, Ne, Gt, Ge, Lt, Le, In, NotIn, Between, NotBetween, IsNull, IsNotNull,
        ],
        FieldType::Boolean => &[Eq, Ne, IsNull, IsNotNull],
        FieldType::Uuid | FieldType::Selection { .. } | FieldType::ManyToOne { .. } => {
            &[Eq, Ne, In, NotIn, IsNull, IsNotNull]
        }
        FieldType::MultiSelection { .. } | FieldType::ManyToMany { .. } => {
            &[Contains, IsNull, IsNotNull]
        }
        FieldType::Json | FieldType::Binary { .. } => &[IsNull, IsNotNull],
        FieldType::OneToMany { .. } => &[],
    }
}

/// Whether records can be sorted by the field.
pub(crate) fn sortable(field: &Field) -> bool {
    match &field.kind {
        FieldType::Decimal { precision, .. } => *precision <= INTEGER_DIGITS,
        FieldType::MultiSelection { .. }
        | FieldType::Json
        | FieldType::Binary { .. }
        | FieldType::OneToMany { .. }
        | FieldType::ManyToMany { .. } => false,
        _ => true,
    }
}

/// Reads one comparison; a problem names the part of the criteria that it is about.
pub(crate) fn parse_test(
    field: &Field,
    criteria: &Criteria,
    reading: Reading<'_>,
) -> Result<Parsed, (&'static str, String)> {
    let allowed = operators(field);
    if !allowed.contains(&criteria.operator) {
        return Err(("/operator", no_operator(field, criteria.operator, allowed)));
    }
    let operands = Operands {
        field,
        criteria,
        reading,
    };
    operands.parse()
}

pub(crate) fn no_operator(field: &Field, operator: Operator, allowed: &[Operator]) -> String {
    let names: Vec<&str> = allowed.iter().map(|operator| operator.name()).collect();
    let long = match &field.kind {
        FieldType::Decimal { precision, .. } if *precision > INTEGER_DIGITS => {
            ", since it has more than 18 digits"
        }
        _ => "",
    };
    format!(
        "`{}` is {} and can't be compared with `{}`{long}; it takes {}",
        field.name,
        field.kind.name(),
        operator.name(),
        names.join(" ")
    )
}

struct Operands<'a> {
    field: &'a Field,
    criteria: &'a Criteria,
    reading: Reading<'a>,
}

type Outcome<T> = Result<T, (&'static str, String)>;

impl Operands<'_> {
    fn parse(&self) -> Outcome<Parsed> {
        let operator = self.criteria.operator;
        if !matches!(operator, Operator::Between | Operator::NotBetween)
            && self.criteria.value2.is_some()
        {
            return Err(("/value2", format!("`{}` takes no value2", operator.name())));
        }
        let test = match operator {
            Operator::IsNull | Operator::IsNotNull => {
                if self.criteria.value.is_some() {
                    return Err(("/value", format!("`{}` takes no value", operator.name())));
                }
                Some(if operator == Operator::IsNull {
                    Test::Null
                } else {
                    Test::NotNull
                })
            }
            Operator::In => self.list()?.map(Test::In),
            Operator::NotIn => self.list()?.map(Test::NotIn),
            Operator::Between => self.pair()?.map(|(from, to)| Test::Between(from, to)),
            Operator::NotBetween => self.pair()?.map(|(from, to)| Test::NotBetween(from, to)),
            Operator::Like => self.pattern(|text| text)?.map(Test::Like),
            Operator::NotLike => self.pattern(|text| text)?.map(Test::NotLike),
            Operator::Contains if self.field.is_link() => self
                .single("/value", self.criteria.value.as_ref())?
                .map(|id| Test::Compare(Comparison::Eq, id)),
            Operator::Contains => self.contains()?.map(Test::Like),
            Operator::StartsWith => self
                .pattern(|text| format!("{}%", escape(&text)))?
                .map(Test::Like),
            Operator::EndsWith => self
                .pattern(|text| format!("%{}", escape(&text)))?
                .map(Test::Like),
            other => {
                let comparison = comparison(other);
                self.single("/value", self.criteria.value.as_ref())?
                    .map(|cell| Test::Compare(comparison, cell))
            }
        };
        Ok(test.map_or(Parsed::Unknown, Parsed::Test))
    }

    /// One value; `None` when the user has no such value.
    fn single(&self, pointer: &'static str, value: Option<&Value>) -> Outcome<Option<Cell>> {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            return Err((
                pointer,
                format!(
                    "`{}` needs a value; use isNull to find empty ones",
                    self.criteria.operator.name()
                ),
            ));
        };
        let variables = self.reading.variables;
        match variables
            .fill(value)
            .map_err(|message| (pointer, message))?
        {
            Filled::Nothing => Ok(None),
            Filled::Value(filled) => match self.cell(&filled) {
                Ok(cell) => Ok(Some(cell)),
                Err(_) if variables.forgives(value) => Ok(None),
                Err(message) => Err((pointer, message)),
            },
        }
    }

    fn cell(&self, value: &Value) -> Result<Cell, String> {
        if value.as_str().is_some_and(|text| text.len() > TEXT) {
            return Err(format!("is longer than {TEXT} bytes"));
        }
        let now = self.reading.now;
        let relative = match (&self.field.kind, value) {
            (FieldType::Date, Value::String(text)) => relative::date(text, now),
            (FieldType::Datetime, Value::String(text)) => relative::datetime(text, now),
            _ => None,
        };
        if let Some(cell) = relative {
            return Ok(cell);
        }
        if self.field.name == ID {
            let key = match self.field.kind {
                FieldType::Integer => KeyType::Integer,
                FieldType::Uuid => KeyType::Uuid,
                _ => KeyType::Text,
            };
            return parse::id(key, value);
        }
        parse::parse(&self.field.kind, value).map_err(|message| match self.field.kind {
            FieldType::Date | FieldType::Datetime => {
                format!("{message}; or a relative date: {}", relative::EXAMPLES)
            }
            _ => message,
        })
    }

    fn list(&self) -> Outcome<Option<Vec<Cell>>> {
        let name = self.criteria.operator.name();
        let value = self.criteria.value.clone().unwrap_or(Value::Null);
        let filled = self
            .reading
            .variables
            .fill(&value)
            .map_err(|message| ("/value", message))?;
        let items = match filled {
            Filled::Nothing => return Ok(None),
            Filled::Value(Value::Array(items)) => items,
            Filled::Value(_) if self.reading.variables.forgives(&value) => return Ok(None),
            Filled::Value(_) => {
                return Err(("/value", format!("`{name}` needs an array of values")));
            }
        };
        if items.is_empty() || items.len() > IN_VALUES {
            if self.reading.variables.forgives(&value) {
                return Ok(None);
            }
            return Err((
                "/value",
                format!(
                    "`{name}` needs an array of 1 to {IN_VALUES} values; got {}",
                    items.len()
                ),
            ));
        }
        let cells: Outcome<Vec<Option<Cell>>> = items
            .iter()
            .map(|item| self.single("/value", Some(item)))
            .collect();
        match cells {
            Err(_) if self.reading.variables.forgives(&value) => Ok(None),
            cells => Ok(cells?.into_iter().collect()),
        }
    }

    fn pair(&self) -> Outcome<Option<(Cell, Cell)>> {
        let from = self.single("/value", self.criteria.value.as_ref())?;
        let to = self.single("/value2", self.criteria.value2.as_ref())?;
        Ok(from.zip(to))
    }

    fn pattern(&self, make: impl Fn(String) -> String) -> Outcome<Option<String>> {
        match self.single("/value", self.criteria.value.as_ref())? {
            Some(Cell::Text(text)) => Ok(Some(make(text))),
            _ => Ok(None),
        }
    }

    fn contains(&self) -> Outcome<Option<String>> {
        let FieldType::MultiSelection { options } = &self.field.kind else {
            return self.pattern(|text| format!("%{}%", escape(&text)));
        };
        // The options are stored as a JSON array, so each stands between its quotes.
        let one = Field {
            kind: FieldType::Selection {
                options: options.clone(),
            },
            ..self.field.clone()
        };
        let option = Operands {
            field: &one,
            ..*self
        };
        option.pattern(|text| format!("%{}%", escape(&Value::String(text).to_string())))
    }
}

pub(crate) fn comparison(operator: Operator) -> Comparison {
    match operator {
        Operator::Ne => Comparison::Ne,
        Operator::Gt => Comparison::Gt,
        Operator::Ge => Comparison::Ge,
        Operator::Lt => Comparison::Lt,
        Operator::Le => Comparison::Le,
        _ => Comparison::Eq,
    }
}

/// Text as a pattern that matches itself alone.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
