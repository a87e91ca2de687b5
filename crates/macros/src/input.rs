use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitBool, LitStr, Meta, Token};

/// What stands in the brackets of `#[tool(...)]`.
#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) is_read_only: bool,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            match key.to_string().as_str() {
                "name" => {
                    input.parse::<Token![=]>()?;
                    options.name = Some(input.parse::<LitStr>()?.value());
                }
                "description" => {
                    input.parse::<Token![=]>()?;
                    options.description = Some(input.parse::<LitStr>()?.value());
                }
                "read_only" => {
                    options.is_read_only = if input.parse::<Option<Token![=]>>()?.is_some() {
                        input.parse::<LitBool>()?.value
                    } else {
                        true
                    };
                }
                other => {
                    let text = format!(
                        "`{other}` is no option of #[tool]; there are: name, description, read_only"
                    );
                    return Err(syn::Error::new(key.span(), text));
                }
            }
            if input.is_empty() {
                break;
            }
            input.parse::<Token![,]>()?;
        }
        Ok(options)
    }
}

/// The doc comment in `attributes`, its lines joined.
pub(crate) fn docs(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"))
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(line(&text.value())),
                _ => None,
            },
            Meta::Path(_) | Meta::List(_) => None,
        })
        .collect();
    lines.join("\n").trim().to_owned()
}

/// A line of a doc comment without the space that stands before each; what is further in stays so.
fn line(text: &str) -> String {
    text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned()
}
