/// The longest line of a stream, in bytes.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Cuts a byte stream into the data of server-sent events, wherever the network split it.
#[derive(Debug, Default)]
pub(crate) struct SseDecoder {
    buffer: Vec<u8>,
    data: String,
}

/// A stream with a line longer than any event may be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LineTooLong;

impl SseDecoder {
    /// Takes the next bytes; answers with the events that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, LineTooLong> {
        self.buffer.extend_from_slice(bytes);
        let mut events = Vec::new();
        let mut from = 0;
        while let Some(length) = self
            .buffer
            .get(from..)
            .and_then(|rest| rest.iter().position(|byte| *byte == b'\n'))
        {
            let line = self.buffer.get(from..from + length).unwrap_or_default();
            let line =
                String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned();
            from += length + 1;
            self.line(&line, &mut events);
        }
        self.buffer.drain(..from);
        if self.buffer.len() > LONGEST_LINE || self.data.len() > LONGEST_LINE {
            Err(LineTooLong)
        } else {
            Ok(events)
        }
    }

    /// The event that the end of the stream leaves open: some servers omit the last blank line.
    pub(crate) fn finish(mut self) -> Vec<String> {
        let mut events = Vec::new();
        let rest = String::from_utf8_lossy(&std::mem::take(&mut self.buffer)).into_owned();
        if !rest.is_empty() {
            self.line(rest.trim_end_matches('\r'), &mut events);
        }
        self.line("", &mut events);
        events
    }

    fn line(&mut self, line: &str, events: &mut Vec<String>) {
        if line.is_empty() {
            if !self.data.is_empty() {
                events.push(std::mem::take(&mut self.data));
            }
            return;
        }
        // Everything but data (comments, event names, ids) carries nothing here.
        let Some(value) = line.strip_prefix("data:") else {
            return;
        };
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(value.strip_prefix(' ').unwrap_or(value));
    }
}

#[cfg(test)]
mod tests {
    use super::SseDecoder;

    const STREAM: &str = ": hello\r\nevent: x\r\ndata: {\"a\":\"é\u{1F600}\"}\r\n\r\ndata: one\ndata: two\n\ndata:[DONE]";

    #[test]
    fn reads_the_same_events_wherever_the_stream_is_split() {
        let expected = vec![
            "{\"a\":\"é\u{1F600}\"}".to_owned(),
            "one\ntwo".to_owned(),
            "[DONE]".to_owned(),
        ];
        for at in 0..=STREAM.len() {
            let (left, right) = STREAM.as_bytes().split_at(at);
            let mut decoder = SseDecoder::default();
            let mut events = decoder.push(left).unwrap();
            events.extend(decoder.push(right).unwrap());
            events.extend(decoder.finish());
            assert_eq!(events, expected, "split at {at}");
        }
    }
}
