use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Ident, ItemFn, Pat, PatType, Type};

use crate::input::{Options, docs};

/// What the function takes besides the context.
struct Parameter {
    name: Ident,
    ty: Type,
    attributes: Vec<Attribute>,
}

/// A unit type of the function's name that implements `Tool`, with the function inside it.
pub(crate) fn tool(options: &Options, function: &ItemFn) -> syn::Result<TokenStream> {
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
    let description = options
        .description
        .clone()
        .unwrap_or_else(|| docs(&function.attrs));
    if description.is_empty() {
        return Err(syn::Error::new(
            function.sig.ident.span(),
            "a tool needs a description: a doc comment, or `description = \"...\"`",
        ));
    }
    let (takes_context, parameters) = parameters(function)?;
    let ident = &function.sig.ident;
    let name = options.name.clone().unwrap_or_else(|| ident.to_string());
    let (visibility, block, output) = (&function.vis, &function.block, &function.sig.output);
    let attributes = &function.attrs;
    let is_read_only = options.is_read_only;
    let context = match &takes_context {
        Some(name) => quote!(#name),
        None => quote!(_),
    };
    let input = format_ident!("{}Input", pascal(&ident.to_string()));
    let (fields, names): (Vec<_>, Vec<_>) = parameters
        .iter()
        .map(|parameter| {
            let (name, ty, attributes) = (&parameter.name, &parameter.ty, &parameter.attributes);
            (quote!(#(#attributes)* #name: #ty), name)
        })
        .unzip();
    let types = parameters.iter().map(|parameter| &parameter.ty);
    Ok(quote! {
        #(#attributes)*
        #[allow(non_camel_case_types, reason = "it has the name of the function it was made of")]
        #[derive(Clone, Copy, Debug, Default)]
        #visibility struct #ident;

        const _: () = {
            #[derive(::toolcrib::macros::Deserialize, ::toolcrib::macros::JsonSchema)]
            #[serde(crate = "::toolcrib::macros::serde", deny_unknown_fields)]
            #[schemars(crate = "::toolcrib::macros::schemars")]
            #[allow(unreachable_pub, missing_docs, reason = "the visibility of the input follows the tool's")]
            pub struct #input { #(#fields,)* }

            impl ::toolcrib::Tool for #ident {
                type Input = #input;

                fn name(&self) -> &str { #name }

                fn description(&self) -> &str { #description }

                fn is_read_only(&self) -> bool { #is_read_only }

                async fn call(
                    &self,
                    __context: &::toolcrib::ToolContext,
                    __input: #input,
                ) -> ::toolcrib::ToolResult {
                    async fn __run(
                        #context: &::toolcrib::ToolContext,
                        #(#names: #types,)*
                    ) #output #block
                    ::toolcrib::IntoToolResult::into_tool_result(
                        __run(__context, #(__input.#names,)*).await
                    )
                }
            }
        };
    })
}

fn parameters(function: &ItemFn) -> syn::Result<(Option<Ident>, Vec<Parameter>)> {
    let (mut context, mut list) = (None, Vec::new());
    for (at, argument) in function.sig.inputs.iter().enumerate() {
        let FnArg::Typed(PatType { attrs, pat, ty, .. }) = argument else {
            return Err(syn::Error::new(
                argument.span(),
                "a tool is a free function; for one with state, implement `Tool`",
            ));
        };
        let Pat::Ident(name) = pat.as_ref() else {
            return Err(syn::Error::new(
                pat.span(),
                "a parameter of a tool is a plain name: the model calls it by that",
            ));
        };
        if at == 0 && is_context(ty) {
            context = Some(name.ident.clone());
            continue;
        }
        if matches!(ty.as_ref(), Type::Reference(_)) {
            return Err(syn::Error::new(
                ty.span(),
                "a parameter is owned (`String`, not `&str`): it is read from JSON",
            ));
        }
        list.push(Parameter {
            name: name.ident.clone(),
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

fn pascal(name: &str) -> String {
    name.split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .into_iter()
                .flat_map(char::to_uppercase)
                .chain(letters)
                .collect::<Vec<_>>()
        })
        .collect()
}
