use super::{ExecuteError, Tools};
use crate::{Definitions, ToolContext, ToolDefinition, ToolResult, ToolSetError, unknown_tool};

/// Tools that go by longer names; made by [`Tools::prefixed`].
#[derive(Clone, Debug)]
pub struct Prefixed<T> {
    inner: T,
    prefix: String,
    definitions: Definitions,
}

impl<T: Tools> Prefixed<T> {
    pub(super) fn new(inner: T, prefix: &str) -> Result<Self, ToolSetError> {
        let list: Vec<ToolDefinition> = inner
            .definitions()
            .iter()
            .map(|definition| {
                Ok(ToolDefinition {
                    name: format!("{prefix}{}", definition.name).parse()?,
                    ..definition.clone()
                })
            })
            .collect::<Result<_, ToolSetError>>()?;
        Ok(Self {
            inner,
            prefix: prefix.to_owned(),
            definitions: list.into(),
        })
    }
}

impl<T: Tools> Tools for Prefixed<T> {
    fn definitions(&self) -> Definitions {
        self.definitions.clone()
    }

    fn is_read_only(&self, name: &str) -> bool {
        name.strip_prefix(&self.prefix)
            .is_some_and(|name| self.inner.is_read_only(name))
    }

    async fn execute(
        &self,
        name: &str,
        arguments: &str,
        context: &ToolContext,
    ) -> Result<ToolResult, ExecuteError> {
        let is_known = self
            .definitions
            .iter()
            .any(|definition| definition.name.as_str() == name);
        if let Some(inner) = name.strip_prefix(&self.prefix).filter(|_| is_known) {
            return self.inner.execute(inner, arguments, context).await;
        }
        let known = self
            .definitions
            .iter()
            .map(|definition| definition.name.as_str());
        Err(ExecuteError::UnknownTool(unknown_tool(name, known)))
    }
}
