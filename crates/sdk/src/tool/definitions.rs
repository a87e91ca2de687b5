use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
#[cfg(feature = "wire")]
use std::sync::OnceLock;

use crate::ToolDefinition;
#[cfg(feature = "wire")]
use crate::message::WireKey;
#[cfg(feature = "wire")]
use crate::model::WrittenTools;

/// The definitions of a request, cheap to clone; written for a provider once, not once a step.
///
/// ```
/// use toolcrib::{Definitions, ToolSet};
///
/// let definition = ToolSet::tool_definition(
///     "echo",
///     "Says the message back.",
///     serde_json::json!({"type": "object", "properties": {"message": {"type": "string"}}}),
/// )?;
/// let definitions = Definitions::from(vec![definition]);
/// assert_eq!(definitions[0].name.as_str(), "echo");
/// # Ok::<(), toolcrib::ToolSetError>(())
/// ```
#[derive(Clone, Default)]
pub struct Definitions(Arc<Inner>);

#[derive(Default)]
struct Inner {
    list: Vec<ToolDefinition>,
    #[cfg(feature = "wire")]
    written: OnceLock<(WireKey, Arc<WrittenTools>)>,
}

#[cfg(feature = "wire")]
impl Definitions {
    /// The definitions in the form of `key`; `write` is called the first time only.
    pub(crate) fn written(
        &self,
        key: WireKey,
        write: impl FnOnce() -> WrittenTools,
    ) -> Arc<WrittenTools> {
        if let Some((known, tools)) = self.0.written.get()
            && *known == key
        {
            return Arc::clone(tools);
        }
        let tools = Arc::new(write());
        drop(self.0.written.set((key, Arc::clone(&tools))));
        tools
    }
}

impl Deref for Definitions {
    type Target = [ToolDefinition];

    fn deref(&self) -> &[ToolDefinition] {
        &self.0.list
    }
}

impl From<Vec<ToolDefinition>> for Definitions {
    fn from(list: Vec<ToolDefinition>) -> Self {
        Self(Arc::new(Inner {
            list,
            #[cfg(feature = "wire")]
            written: OnceLock::new(),
        }))
    }
}

impl fmt::Debug for Definitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.iter().map(|definition| definition.name.as_str()))
            .finish()
    }
}
