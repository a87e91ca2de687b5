//! The attribute `#[tool]` of the crate `toolcrib`.

mod expand;
mod input;

use proc_macro::TokenStream;
use syn::{ItemFn, parse_macro_input};

/// Makes a tool of an async function: its name is the tool's, its docs are the description, its
/// parameters (with their docs) are the input. See `toolcrib::tool`.
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let options = parse_macro_input!(arguments as input::Options);
    let function = parse_macro_input!(item as ItemFn);
    expand::tool(&options, &function)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}
