//! Values between JSON and the database.
//!
//! | type | JSON | SQLite |
//! | --- | --- | --- |
//! | string, text, selection, uuid, date, time | string | TEXT |
//! | integer, many_to_one | integer | INTEGER |
//! | decimal | string with exactly its scale | INTEGER, scaled; TEXT above 18 digits |
//! | float | number | REAL |
//! | boolean | boolean | INTEGER 0 or 1 |
//! | datetime | RFC 3339 in UTC | INTEGER, microseconds since 1970 |
//! | multi_selection, json | array, any | TEXT |
//!
//! How values compare, the same on every database:
//! - Text compares and sorts by code point, so capitals matter to `=`, `<`, `in` and the order.
//! - `like`, `contains`, `startsWith`, `endsWith` ignore the case of the letters A–Z, of no others.
//! - A null matches no comparison, neither `=` nor `!=`, and the negation of such a comparison
//!   does not match it either; `isNull` and `isNotNull` ask for it.
//! - Nulls come last in every order, ascending and descending.

pub(super) mod cell;
pub(super) mod composite;
pub(super) mod decimal;
pub(super) mod limits;
pub(super) mod parse;
pub(super) mod pattern;
pub(super) mod relative;
pub(super) mod render;
