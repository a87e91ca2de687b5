use bytes::{Buf, Bytes};

/// The longest line of a stream, in bytes.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Cuts a byte stream into the data of server-sent events, wherever the network split it.
///
/// Each byte is looked at once, and events are cut one at a time: a stream of many small pieces
/// costs what one large piece costs.
#[derive(Debug, Default)]
pub(super) struct SseDecoder {
    /// What has come and was not looked at yet.
    input: Bytes,
    /// The line under way.
    line: Vec<u8>,
    /// The data of the event under way.
    data: String,
    has_data: bool,
    /// Whether the last byte was a carriage return, so that a line feed after it ends no line.
    after_return: bool,
}

/// A stream with a line longer than any event may be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LineTooLong;

impl SseDecoder {
    /// Takes the next bytes, once those before are used up.
    pub(super) fn push(&mut self, bytes: Bytes) {
        self.input = if self.input.is_empty() {
            bytes
        } else {
            [self.input.as_ref(), bytes.as_ref()].concat().into()
        };
    }

    /// The next event that is whole.
    pub(super) fn next_event(&mut self) -> Result<Option<String>, LineTooLong> {
        while !self.input.is_empty() {
            if std::mem::take(&mut self.after_return) && self.input.starts_with(b"\n") {
                self.input.advance(1);
                continue;
            }
            let end = self
                .input
                .iter()
                .position(|byte| matches!(byte, b'\n' | b'\r'));
            let piece = self.input.split_to(end.unwrap_or(self.input.len()));
            self.line.extend_from_slice(&piece);
            if self.line.len() > LONGEST_LINE || self.data.len() > LONGEST_LINE {
                return Err(LineTooLong);
            }
            if self.input.is_empty() {
                break;
            }
            self.after_return = self.input.get_u8() == b'\r';
            if let Some(event) = self.end_line() {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// The event that is left; it may lack its blank line, which some servers omit.
    pub(super) fn finish(mut self) -> Option<String> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.end_line()
    }

    /// Ends a line; a blank one ends the event, if there is one.
    fn end_line(&mut self) -> Option<String> {
        let line = self.line.strip_prefix(b"\xef\xbb\xbf");
        let line = line.unwrap_or(&self.line);
        if line.is_empty() {
            self.line.clear();
            let is_event = std::mem::take(&mut self.has_data);
            return is_event.then(|| std::mem::take(&mut self.data));
        }
        // Everything but data (comments, event names, ids) carries nothing here.
        if let Some(value) = line.strip_prefix(b"data:") {
            if self.has_data {
                self.data.push('\n');
            }
            self.has_data = true;
            let value = value.strip_prefix(b" ").unwrap_or(value);
            self.data.push_str(&String::from_utf8_lossy(value));
        }
        self.line.clear();
        None
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::SseDecoder;

    const STREAM: &str = "\u{feff}: hello\r\nevent: x\r\ndata: {\"a\":\"é\u{1F600}\"}\r\n\r\ndata: one\ndata: two\n\ndata: three\r\rdata:[DONE]";

    fn expected() -> Vec<String> {
        ["{\"a\":\"é\u{1F600}\"}", "one\ntwo", "three", "[DONE]"]
            .map(str::to_owned)
            .to_vec()
    }

    fn read<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        for piece in pieces {
            decoder.push(Bytes::copy_from_slice(piece));
            events.extend(std::iter::from_fn(|| decoder.next_event().unwrap()));
        }
        events.extend(decoder.finish());
        events
    }

    #[test]
    fn reads_the_same_events_wherever_the_stream_is_split() {
        for at in 0..=STREAM.len() {
            let (left, right) = STREAM.as_bytes().split_at(at);
            assert_eq!(read([left, right].into_iter()), expected(), "split at {at}");
        }
        assert_eq!(read(STREAM.as_bytes().chunks(1)), expected());
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut decoder = SseDecoder::default();
        let piece = Bytes::from(vec![b'x'; 1024 * 1024]);
        let refused = (0..32).any(|_| {
            decoder.push(piece.clone());
            decoder.next_event().is_err()
        });
        assert!(refused);
    }
}
