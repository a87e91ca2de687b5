use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Ident, ItemFn, Pat, PatIdent, PatType, Token, Type};

use crate::input::{Options, docs};

/// The longest name that a tool may have, in characters.
const LONGEST: usize = 64;

/// What the function takes besides the context.
struct Parameter {
    mutability: Option<Token![mut]>,
    name: Ident,
    ty: Type,
    attributes: Vec<Attribute>,
}

/// A unit type of the function's name that implements `Tool`, with the function inside it.
pub(crate) fn tool(options: &Options, function: &ItemFn) -> syn::Result<TokenStream> {
    check(function)?;
    let description = description(options, function)?;
    let name = name(options, function)?;
    let (context, parameters) = parameters(function)?;
    let context = context.unwrap_or_else(|| quote!(_));
    let (ident, visibility) = (&function.sig.ident, &function.vis);
    let placed = Placed::of(&function.attrs);
    let (on_type, on_all) = (&placed.on_type, &placed.on_all);
    let is_read_only = options.is_read_only;
    let fields = parameters.iter().map(Parameter::field);
    let names: Vec<&Ident> = parameters.iter().map(|parameter| &parameter.name).collect();
    let call = call(function, &placed, &context, &parameters);
    Ok(quote! {
        #(#on_type)*
        #(#on_all)*
        #[allow(non_camel_case_types, reason = "it has the name of the function it was made of")]
        #[derive(Clone, Copy, Debug, Default)]
        #visibility struct #ident;

        #(#on_all)*
        const _: () = {
            #[derive(::toolcrib::macros::Deserialize, ::toolcrib::macros::JsonSchema)]
            #[serde(crate = "::toolcrib::macros::serde", deny_unknown_fields)]
            #[schemars(crate = "::toolcrib::macros::schemars")]
            #[allow(unreachable_pub, missing_docs, reason = "the visibility of the input follows the tool's")]
            pub struct __ToolInput { #(#fields,)* }

            const _: () = {
                // A tool is a unit type, and a parameter can't have the name of one that is in
                // sight; of a function it can.
                #(
                    #[allow(dead_code, non_snake_case, reason = "hides a tool of a parameter's name")]
                    fn #names() {}
                )*

                impl ::toolcrib::Tool for #ident {
                    type Input = __ToolInput;

                    fn name(&self) -> &str { #name }

                    fn description(&self) -> &str { #description }

                    fn is_read_only(&self) -> bool { #is_read_only }

                    #call
                }
            };
        };
    })
}

/// The method that runs the function, with the function in it.
fn call(
    function: &ItemFn,
    placed: &Placed<'_>,
    context: &TokenStream,
    parameters: &[Parameter],
) -> TokenStream {
    let (block, output, on_function) = (&function.block, &function.sig.output, &placed.on_function);
    let patterns = parameters.iter().map(Parameter::pattern);
    let names = parameters.iter().map(|parameter| &parameter.name);
    quote! {
        async fn call(
            &self,
            __context: &::toolcrib::ToolContext,
            __input: __ToolInput,
        ) -> ::toolcrib::ToolResult {
            #(#on_function)*
            async fn __run(
                #context: &::toolcrib::ToolContext,
                #(#patterns,)*
            ) #output #block
            ::toolcrib::IntoToolResult::into_tool_result(
                __run(__context, #(__input.#names,)*).await
            )
        }
    }
}

impl Parameter {
    fn field(&self) -> TokenStream {
        let (name, ty, attributes) = (&self.name, &self.ty, &self.attributes);
        quote!(#(#attributes)* #name: #ty)
    }

    fn pattern(&self) -> TokenStream {
        let (mutability, name, ty) = (&self.mutability, &self.name, &self.ty);
        quote!(#mutability #name: #ty)
    }
}

fn check(function: &ItemFn) -> syn::Result<()> {
    if function.sig.asyncness.is_none() {
        return Err(syn::Error::new(
            function.sig.fn_token.span(),
            "a tool is an `async fn`",
        ));
    }
    if !function.sig.generics.params.is_empty() {
        return Err(syn::Error::new(
            function.sig.generics.span(),
            "a tool has no type or lifetime parameters: its input has to be known",
        ));
    }
    Ok(())
}

fn description(options: &Options, function: &ItemFn) -> syn::Result<String> {
    let description = options.description.clone();
    let description = description.unwrap_or_else(|| docs(&function.attrs));
    if description.trim().is_empty() {
        return Err(syn::Error::new(
            function.sig.ident.span(),
            "a tool needs a description: a doc comment, or `description = \"...\"`",
        ));
    }
    Ok(description)
}

fn name(options: &Options, function: &ItemFn) -> syn::Result<String> {
    let ident = &function.sig.ident;
    let name = options.name.clone();
    let name = name.unwrap_or_else(|| ident.unraw().to_string());
    let begins = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic());
    let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if begins && goes_on && name.len() <= LONGEST {
        return Ok(name);
    }
    Err(syn::Error::new(
        ident.span(),
        format!(
            "{name:?} is not a tool name: it begins with a letter, goes on with letters, digits and \
             underscores, and has at most {LONGEST} characters; another is given with `name = \"...\"`"
        ),
    ))
}

/// The attributes of the function, each where it means something.
#[derive(Default)]
struct Placed<'a> {
    on_type: Vec<&'a Attribute>,
    on_all: Vec<&'a Attribute>,
    on_function: Vec<&'a Attribute>,
}

impl<'a> Placed<'a> {
    fn of(attributes: &'a [Attribute]) -> Self {
        let mut placed = Self::default();
        for attribute in attributes {
            let is = |names: &[&str]| names.iter().any(|name| attribute.path().is_ident(name));
            if is(&["doc", "deprecated"]) {
                placed.on_type.push(attribute);
            } else if is(&["cfg", "allow", "warn", "deny"]) {
                placed.on_all.push(attribute);
            } else {
                placed.on_function.push(attribute);
            }
        }
        placed
    }
}

/// How the function names the context, if it takes one, and its other parameters.
fn parameters(function: &ItemFn) -> syn::Result<(Option<TokenStream>, Vec<Parameter>)> {
    let (mut context, mut list) = (None, Vec::new());
    for argument in &function.sig.inputs {
        let FnArg::Typed(PatType { attrs, pat, ty, .. }) = argument else {
            return Err(syn::Error::new(
                argument.span(),
                "a tool is a free function; for one with state, implement `Tool`",
            ));
        };
        if is_context(ty) && context.is_none() {
            context = Some(pat.to_token_stream());
            continue;
        }
        if matches!(ty.as_ref(), Type::Reference(_)) {
            return Err(syn::Error::new(
                ty.span(),
                "a parameter is owned (`String`, not `&str`): it is read from JSON",
            ));
        }
        let Pat::Ident(PatIdent {
            by_ref: None,
            mutability,
            ident,
            subpat: None,
            ..
        }) = pat.as_ref()
        else {
            return Err(syn::Error::new(
                pat.span(),
                "a parameter of a tool is a plain name: the model calls it by that",
            ));
        };
        list.push(Parameter {
            mutability: *mutability,
            name: ident.clone(),
            ty: ty.as_ref().clone(),
            attributes: attrs.clone(),
        });
    }
    Ok((context, list))
}

fn is_context(ty: &Type) -> bool {
    let Type::Reference(reference) = ty else {
        return false;
    };
    let Type::Path(path) = reference.elem.as_ref() else {
        return false;
    };
    path.path
        .segments
        .last()
        .is_some_and(|segment| segment.ident == "ToolContext")
}
