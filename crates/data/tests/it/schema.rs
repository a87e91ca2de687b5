//! What a language model is told that a query takes.

use toolcrib_data::records::QueryInput;

#[test]
fn the_schema_of_a_query_is_as_it_was_reviewed() {
    insta::assert_json_snapshot!(schemars::schema_for!(QueryInput));
}
