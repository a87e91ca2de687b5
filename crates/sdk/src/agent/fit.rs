//! Keeps what is sent within what the model can read.

use std::ops::Range;

use crate::message::{AssistantPart, Message, ToolMessage, Transcript, groups};

/// Bytes of text that make a token: fewer than any language needs, so that the estimate is high.
const BYTES_A_TOKEN: usize = 3;
/// What a message costs beside its text, in bytes.
const FRAME: usize = 24;
/// The longest result that is left alone, in bytes.
const SHORT: usize = 600;
/// How much of a longer one is kept at least, in bytes.
const KEPT: usize = 200;
/// What the note takes that stands in the place of what was left out, in bytes.
const NOTE: usize = 80;

/// The tokens that so many bytes make, estimated.
pub(super) fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES_A_TOKEN)).unwrap_or(u64::MAX)
}

/// The bytes that make so many tokens at most.
pub(super) fn bytes(tokens: u64) -> usize {
    usize::try_from(tokens)
        .unwrap_or(usize::MAX)
        .saturating_mul(BYTES_A_TOKEN)
}

/// The bytes of a message that the model reads.
pub(super) fn size(message: &Message) -> usize {
    FRAME
        + match message {
            Message::User { text } => text.len(),
            Message::Tool(result) => result.content.len(),
            Message::Assistant(answer) => answer
                .parts
                .iter()
                .map(|part| match part {
                    AssistantPart::Text { text, .. }
                    | AssistantPart::Refusal { text }
                    | AssistantPart::Reasoning { text, .. } => text.len(),
                    AssistantPart::ToolCall(call) => call.name.len() + call.arguments.len() + FRAME,
                })
                .sum(),
        }
}

/// Makes the transcript at most `most` bytes: first the results of tools shrink, the oldest first,
/// then whole groups go, the oldest first. What the person said last and the latest group stay;
/// only where that is still too much, the latest results shrink to what there is room for.
/// Answers with the bytes that are left.
pub(super) fn fit(transcript: &mut Transcript, most: usize) -> usize {
    let bytes: usize = transcript.iter().map(size).sum();
    let groups = groups(transcript);
    let latest = groups.last().map_or(0, |group| group.start);
    let bytes = shrink_older(transcript, latest, bytes, most);
    let (gone, bytes) = too_old(transcript, &groups, bytes, most);
    for range in gone.into_iter().rev() {
        transcript.remove(range);
    }
    shrink_latest(transcript, bytes, most)
}

fn shrink_older(transcript: &mut Transcript, end: usize, bytes: usize, most: usize) -> usize {
    let mut bytes = bytes;
    for at in 0..end {
        if bytes <= most {
            break;
        }
        bytes -= shrink(transcript, at, KEPT);
    }
    bytes
}

/// The groups that have to go, neighbours joined, and the bytes that are left without them.
fn too_old(
    transcript: &Transcript,
    groups: &[Range<usize>],
    bytes: usize,
    most: usize,
) -> (Vec<Range<usize>>, usize) {
    let is_user =
        |group: &Range<usize>| matches!(transcript.get(group.start), Some(Message::User { .. }));
    let asked = groups.iter().rposition(is_user);
    let (mut gone, mut bytes): (Vec<Range<usize>>, usize) = (Vec::new(), bytes);
    for (at, group) in groups
        .iter()
        .enumerate()
        .take(groups.len().saturating_sub(1))
    {
        if bytes <= most {
            break;
        }
        if Some(at) == asked {
            continue;
        }
        let messages = group.clone().filter_map(|at| transcript.get(at));
        bytes -= messages.map(size).sum::<usize>();
        match gone.last_mut() {
            Some(last) if last.end == group.start => last.end = group.end,
            _ => gone.push(group.clone()),
        }
    }
    (gone, bytes)
}

/// Each long result of the latest group keeps its share of the room that is left for them.
fn shrink_latest(transcript: &mut Transcript, bytes: usize, most: usize) -> usize {
    if bytes <= most {
        return bytes;
    }
    let latest = groups(transcript).last().cloned().unwrap_or_default();
    let long: Vec<(usize, usize)> = latest
        .filter_map(|at| match transcript.get(at) {
            Some(Message::Tool(result)) if result.content.len() > SHORT => {
                Some((at, result.content.len()))
            }
            _ => None,
        })
        .collect();
    let all: usize = long.iter().map(|(_, length)| length).sum();
    let room = most.saturating_sub(bytes - all);
    let mut bytes = bytes;
    for (at, length) in long {
        let share = room.saturating_mul(length) / all;
        bytes -= shrink(transcript, at, share.saturating_sub(NOTE).max(KEPT));
    }
    bytes
}

/// Cuts a long result to `kept` bytes and a note; says by how many bytes it is shorter then.
fn shrink(transcript: &mut Transcript, at: usize, kept: usize) -> usize {
    let Some(Message::Tool(result)) = transcript.get(at) else {
        return 0;
    };
    let length = result.content.len();
    if length <= SHORT || length <= kept {
        return 0;
    }
    // A character is at most four bytes: one of these places is the end of one.
    let beginning = (kept.saturating_sub(3)..=kept)
        .rev()
        .find_map(|end| result.content.get(..end));
    let beginning = beginning.unwrap_or_default();
    let left_out = length - beginning.len();
    let short = Message::Tool(ToolMessage {
        content: format!("{beginning}\n[{left_out} more bytes were left out to save room.]"),
        ..result.clone()
    });
    let Some(saved) = length.checked_sub(size(&short) - FRAME) else {
        return 0;
    };
    transcript.replace(at, short);
    saved
}

#[cfg(test)]
mod tests {
    use super::{fit, size};
    use crate::message::{
        AssistantMessage, AssistantPart, Message, ToolCall, ToolMessage, Transcript, check_pairs,
    };

    fn turn(transcript: &mut Transcript, result: &str) {
        let call = ToolCall::new("read", "{}");
        let id = call.id;
        transcript.push(Message::Assistant(AssistantMessage {
            parts: vec![AssistantPart::ToolCall(call)],
        }));
        transcript.push(Message::Tool(ToolMessage {
            call: id,
            name: "read".to_owned(),
            content: result.to_owned(),
            is_error: false,
        }));
    }

    fn story() -> Transcript {
        let mut transcript = Transcript::from(vec![Message::user("first")]);
        turn(&mut transcript, &"old ".repeat(1000));
        turn(&mut transcript, "short");
        transcript.push(Message::user("second"));
        turn(&mut transcript, &"new ".repeat(1000));
        transcript
    }

    fn total(transcript: &Transcript) -> usize {
        transcript.iter().map(size).sum()
    }

    #[test]
    fn what_fits_is_left_alone() {
        let mut transcript = story();
        fit(&mut transcript, 100_000);
        assert_eq!(transcript.len(), story().len());
        assert_eq!(total(&transcript), total(&story()));
    }

    #[test]
    fn results_shrink_first_and_the_latest_stays() {
        let mut transcript = story();
        let left = fit(&mut transcript, 5_000);
        assert_eq!(left, total(&transcript));
        assert_eq!(transcript.len(), story().len(), "nothing is taken out yet");
        let texts: Vec<&Message> = transcript.iter().collect();
        let content = |at: usize| match texts[at] {
            Message::Tool(result) => result.content.as_str(),
            _ => "",
        };
        assert!(content(2).contains("were left out") && content(2).len() < 300);
        assert_eq!(content(7).len(), 4000, "what came last is whole");
    }

    #[test]
    fn then_whole_groups_go_and_the_last_question_stays() {
        for most in [0, 10, 300, 4_100, 4_200, 4_500] {
            let mut transcript = story();
            let left = fit(&mut transcript, most);
            assert_eq!(left, total(&transcript));
            check_pairs(&transcript).unwrap();
            assert!(
                transcript
                    .iter()
                    .any(|message| *message == Message::user("second"))
            );
            assert!(transcript.len() >= 3);
        }
    }

    #[test]
    fn a_text_of_wide_letters_shrinks_too_and_only_once() {
        for text in [
            "\u{1F600}".repeat(160),
            "語".repeat(210),
            "é".repeat(10_000),
        ] {
            let mut transcript = Transcript::from(vec![Message::user("first")]);
            turn(&mut transcript, &text);
            turn(&mut transcript, "short");
            let before = total(&transcript);
            let left = fit(&mut transcript, before - 1);
            assert!(left < before, "{before} became {left}");
            assert_eq!(left, total(&transcript));
            let again = fit(&mut transcript.clone(), left - 1);
            assert!(again < left);
            let kept = transcript.get(2).cloned();
            let Some(Message::Tool(result)) = kept else {
                panic!("{kept:?}");
            };
            assert!(result.content.contains("more bytes were left out"));
            assert!(!result.content.contains("[0 more"), "{}", result.content);
        }
    }

    #[test]
    fn where_nothing_else_is_left_the_latest_results_shrink_to_the_room() {
        let mut transcript = Transcript::from(vec![Message::user("first")]);
        turn(&mut transcript, &"old ".repeat(1_000));
        turn(&mut transcript, &"new ".repeat(100_000));
        let left = fit(&mut transcript, 10_000);
        assert_eq!(left, total(&transcript));
        assert!((9_000..=10_000).contains(&left), "{left}");
        check_pairs(&transcript).unwrap();
    }

    #[test]
    fn a_long_story_is_cut_at_once() {
        let mut transcript = Transcript::from(vec![Message::user("first")]);
        for _ in 0..20_000 {
            turn(&mut transcript, "short");
        }
        fit(&mut transcript, 1_000);
        assert!(total(&transcript) <= 1_000);
        assert_eq!(transcript.get(0), Some(&Message::user("first")));
    }
}
