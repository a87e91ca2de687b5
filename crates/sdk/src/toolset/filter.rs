use std::collections::BTreeSet;

use super::{ExecuteError, Tools};
use crate::{Definitions, ToolContext, ToolDefinition, ToolResult, unknown_tool};

/// Tools of which some are left out; made by [`Tools::filtered`].
#[derive(Clone, Debug)]
pub struct Filtered<T> {
    inner: T,
    definitions: Definitions,
    kept: BTreeSet<String>,
}

impl<T: Tools> Filtered<T> {
    pub(super) fn new(inner: T, keep: impl Fn(&ToolDefinition) -> bool) -> Self {
        let list: Vec<ToolDefinition> = inner
            .definitions()
            .iter()
            .filter(|definition| keep(definition))
            .cloned()
            .collect();
        let kept = list
            .iter()
            .map(|definition| definition.name.to_string())
            .collect();
        Self {
            inner,
            definitions: list.into(),
            kept,
        }
    }
}

impl<T: Tools> Tools for Filtered<T> {
    fn definitions(&self) -> Definitions {
        self.definitions.clone()
    }

    fn is_read_only(&self, name: &str) -> bool {
        self.kept.contains(name) && self.inner.is_read_only(name)
    }

    async fn execute(
        &self,
        name: &str,
        arguments: &str,
        context: &ToolContext,
    ) -> Result<ToolResult, ExecuteError> {
        if self.kept.contains(name) {
            return self.inner.execute(name, arguments, context).await;
        }
        let known = self.kept.iter().map(String::as_str);
        Err(ExecuteError::UnknownTool(unknown_tool(name, known)))
    }
}
