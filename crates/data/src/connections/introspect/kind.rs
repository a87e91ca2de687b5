use crate::records::{Choice, ColumnType, FieldType};

/// The most digits of a decimal field, and the most after its point.
const PRECISION: i64 = 38;
const SCALE: i64 = 18;

/// What the values of a column are, and how they are held.
pub(super) struct Kind {
    pub(super) field: Option<FieldType>,
    pub(super) column_type: ColumnType,
}

impl Kind {
    pub(super) fn new(field: FieldType, column_type: ColumnType) -> Self {
        Self {
            field: Some(field),
            column_type,
        }
    }

    /// What is shown as text and never written.
    pub(super) fn other() -> Self {
        Self::new(FieldType::Text, ColumnType::Other)
    }

    /// A file, of which nothing but the content is kept.
    pub(super) fn file() -> Self {
        let media_types = Vec::new();
        Self::new(FieldType::Binary { media_types }, ColumnType::Bytes)
    }

    /// What can't be shown.
    pub(super) fn hidden() -> Self {
        Self {
            field: None,
            column_type: ColumnType::Other,
        }
    }

    /// Short text in a field of one line, long text in one of many.
    pub(super) fn text(length: Option<i64>, column_type: ColumnType) -> Self {
        match length {
            Some(length) if length <= 1_000 => Self::new(FieldType::String, column_type),
            _ => Self::new(FieldType::Text, column_type),
        }
    }

    /// An exact number; one without limits has as many digits as a field can have.
    pub(super) fn decimal(precision: Option<i64>, scale: Option<i64>) -> Self {
        let (precision, scale) = (precision.unwrap_or(PRECISION), scale.unwrap_or(10));
        let fits = precision <= PRECISION && (0..=SCALE).contains(&scale) && scale <= precision;
        match (u32::try_from(precision), u32::try_from(scale)) {
            (Ok(precision), Ok(scale)) if fits => {
                Self::new(FieldType::Decimal { precision, scale }, ColumnType::Numeric)
            }
            _ => Self::other(),
        }
    }

    pub(super) fn selection(values: &[String], column_type: ColumnType) -> Self {
        let options = values.iter().map(|value| Choice {
            value: value.clone(),
            title: value.clone(),
        });
        let options = options.collect();
        Self::new(FieldType::Selection { options }, column_type)
    }
}
