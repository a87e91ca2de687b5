//! Joins messages into turns, for providers that want what belongs together in one piece.

use bytes::Bytes;

use super::json::joined;

/// Joins neighbours of the same kind into one turn each: what `open` writes for the kind, the
/// pieces, and `]}`. What is empty is left out, and its neighbours are neighbours then.
pub(crate) fn turns<K: PartialEq>(
    pieces: impl Iterator<Item = (K, Bytes)>,
    open: impl Fn(&K) -> &'static str,
) -> Vec<Bytes> {
    let mut turns: Vec<(K, Vec<Bytes>)> = Vec::new();
    for (kind, piece) in pieces.filter(|(_, piece)| !piece.is_empty()) {
        match turns.last_mut() {
            Some((last, pieces)) if *last == kind => pieces.push(piece),
            _ => turns.push((kind, vec![piece])),
        }
    }
    turns
        .into_iter()
        .map(|(kind, pieces)| {
            let mut out = open(&kind).as_bytes().to_vec();
            out.extend_from_slice(&joined(pieces.into_iter()));
            out.extend_from_slice(b"]}");
            Bytes::from(out)
        })
        .collect()
}
