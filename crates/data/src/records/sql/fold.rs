use sea_query::{Expr, Func};

/// Text with the letters A–Z made small; others keep their case. For a database whose own function
/// knows more letters than that.
pub(super) fn lower(text: Expr) -> Expr {
    replaced(text, |letter| (letter.to_ascii_uppercase(), letter))
}

/// Text with the letters a–z made capital.
pub(super) fn upper(text: Expr) -> Expr {
    replaced(text, |letter| (letter, letter.to_ascii_uppercase()))
}

fn replaced(text: Expr, pair: impl Fn(char) -> (char, char)) -> Expr {
    ('a'..='z').fold(text, |text, letter| {
        let (from, to) = pair(letter);
        let letter = |c: char| Expr::Constant(c.to_string().into());
        Func::cust("REPLACE")
            .args([text, letter(from), letter(to)])
            .into()
    })
}
