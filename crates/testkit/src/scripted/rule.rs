use serde::Deserialize;
use serde_json::Value;

/// A list of rules; the first that fits a request answers it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Script {
    /// The rules.
    pub rules: Vec<Rule>,
}

/// When to answer, and with what.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// When.
    #[serde(default)]
    pub when: When,
    /// With what.
    pub reply: Reply,
    /// How often; without end when unset.
    #[serde(default)]
    pub times: Option<usize>,
}

/// What a request has to be like.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct When {
    /// The last message of the user holds this text, whatever its case.
    pub last_user_contains: Option<String>,
    /// The last message is a result of this tool; `null` means that it is the user's.
    #[serde(deserialize_with = "present")]
    pub after_tool: Option<Option<String>>,
    /// The last message holds this text.
    pub last_contains: Option<String>,
}

/// Tells `null` from absent.
fn present<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

/// An answer, or a failure.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Reply {
    /// Text for the reader.
    pub text: String,
    /// What the model thinks first.
    pub reasoning: String,
    /// Calls to ask for.
    pub tool_calls: Vec<ScriptedCall>,
    /// A pause before each piece, in milliseconds.
    pub chunk_delay_ms: u64,
    /// Breaks the stream off before its end.
    pub cut: bool,
    /// Sends a piece that is not JSON.
    pub broken_json: bool,
    /// Never answers.
    pub hang: bool,
    /// Answers with this status instead.
    pub status: Option<u16>,
    /// Asks for this pause, in seconds.
    pub retry_after: Option<u32>,
    /// The finish reason, if it is to be another than the usual one.
    pub finish_reason: Option<String>,
}

/// A call to ask for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedCall {
    /// The tool.
    pub name: String,
    /// The arguments; a string is sent as it is.
    pub arguments: Value,
}

impl Rule {
    /// A rule for every request.
    #[must_use]
    pub fn always(reply: Reply) -> Self {
        Self {
            when: When::default(),
            reply,
            times: None,
        }
    }

    /// A rule for what the user says.
    #[must_use]
    pub fn on_user(text: &str, reply: Reply) -> Self {
        let when = When {
            last_user_contains: Some(text.to_owned()),
            after_tool: Some(None),
            last_contains: None,
        };
        Self {
            when,
            reply,
            times: None,
        }
    }

    /// A rule for the result of a tool.
    #[must_use]
    pub fn after(tool: &str, reply: Reply) -> Self {
        let when = When {
            after_tool: Some(Some(tool.to_owned())),
            ..When::default()
        };
        Self {
            when,
            reply,
            times: None,
        }
    }

    /// The same rule, for so many requests only.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    pub(super) fn fits(&self, request: &Value) -> bool {
        if self.times == Some(0) {
            return false;
        }
        let empty = Vec::new();
        let messages = request
            .get("messages")
            .and_then(Value::as_array)
            .unwrap_or(&empty);
        let role = |message: &Value| {
            message
                .get("role")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        let content = |message: &Value| {
            message
                .get("content")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_lowercase()
        };
        let last_user = messages
            .iter()
            .rev()
            .find(|message| role(message) == "user")
            .map(content)
            .unwrap_or_default();
        let last = messages.last();
        let user_fits = self
            .when
            .last_user_contains
            .as_ref()
            .is_none_or(|text| last_user.contains(&text.to_lowercase()));
        let last_fits = self.when.last_contains.as_ref().is_none_or(|text| {
            last.map(content)
                .unwrap_or_default()
                .contains(&text.to_lowercase())
        });
        let tool_fits = match &self.when.after_tool {
            None => true,
            Some(None) => last.map(role).as_deref() == Some("user"),
            Some(Some(tool)) => {
                last.and_then(|last| answered_tool(messages, last))
                    .as_deref()
                    == Some(tool)
            }
        };
        user_fits && last_fits && tool_fits
    }

    pub(super) fn take(&mut self) -> Reply {
        self.times = self.times.map(|times| times.saturating_sub(1));
        self.reply.clone()
    }
}

/// The tool whose result a message is.
fn answered_tool(messages: &[Value], message: &Value) -> Option<String> {
    let id = message.get("tool_call_id")?;
    let calls = messages
        .iter()
        .rev()
        .filter_map(|message| message.get("tool_calls")?.as_array())
        .flatten();
    let call = calls.into_iter().find(|call| call.get("id") == Some(id))?;
    call.pointer("/function/name")
        .and_then(Value::as_str)
        .map(str::to_owned)
}

impl Reply {
    /// An answer in text.
    #[must_use]
    pub fn text(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            ..Self::default()
        }
    }

    /// A request to run one tool.
    #[must_use]
    pub fn call(name: &str, arguments: Value) -> Self {
        Self::calls(vec![(name, arguments)])
    }

    /// A request to run several tools.
    #[must_use]
    pub fn calls(calls: Vec<(&str, Value)>) -> Self {
        let tool_calls = calls
            .into_iter()
            .map(|(name, arguments)| ScriptedCall {
                name: name.to_owned(),
                arguments,
            })
            .collect();
        Self {
            tool_calls,
            ..Self::default()
        }
    }
}
