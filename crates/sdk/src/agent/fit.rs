//! Keeps what is sent within what the model can read.

use crate::message::{AssistantPart, Message, ToolMessage, Transcript, groups};

/// Bytes of text that make a token: fewer than any language needs, so that the estimate is high.
const BYTES_A_TOKEN: usize = 3;
/// What a message costs beside its text, in bytes.
const FRAME: usize = 24;
/// The longest result that is left alone, in bytes.
const SHORT: usize = 600;
/// How much of a longer one is kept, in characters.
const KEPT: usize = 200;

/// The tokens that so many bytes make, estimated.
pub(super) fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES_A_TOKEN)).unwrap_or(u64::MAX)
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
/// then whole groups go, the oldest first. What the person said last and the latest group stay.
/// Answers with the bytes that are left.
pub(super) fn fit(transcript: &mut Transcript, most: usize) -> usize {
    let mut bytes: usize = transcript.iter().map(size).sum();
    let latest = groups(transcript).last().map_or(0, |group| group.start);
    for at in 0..latest {
        if bytes <= most {
            return bytes;
        }
        let Some(Message::Tool(result)) = transcript.get(at) else {
            continue;
        };
        if result.content.len() > SHORT {
            let short = Message::Tool(shrunk(result));
            bytes -= result.content.len();
            bytes += size(&short) - FRAME;
            transcript.replace(at, short);
        }
    }
    while bytes > most {
        let Some(group) = oldest(transcript) else {
            return bytes;
        };
        bytes -= group
            .clone()
            .filter_map(|at| transcript.get(at))
            .map(size)
            .sum::<usize>();
        transcript.remove(group);
    }
    bytes
}

/// The oldest group that may go.
fn oldest(transcript: &Transcript) -> Option<std::ops::Range<usize>> {
    let groups = groups(transcript);
    let is_user = |group: &std::ops::Range<usize>| {
        matches!(transcript.get(group.start), Some(Message::User { .. }))
    };
    let asked = groups.iter().rposition(is_user);
    let (_, before) = groups.split_last()?;
    before
        .iter()
        .enumerate()
        .find(|(at, _)| Some(*at) != asked)
        .map(|(_, group)| group.clone())
}

fn shrunk(result: &ToolMessage) -> ToolMessage {
    let beginning: String = result.content.chars().take(KEPT).collect();
    let left_out = result.content.len() - beginning.len();
    ToolMessage {
        content: format!("{beginning}\n[{left_out} more bytes were left out to save room.]"),
        ..result.clone()
    }
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
}
