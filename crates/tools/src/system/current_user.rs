use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use toolcrib::ToolResult;
use toolcrib_counter::{CallContext, Caller, Level, SystemTool};
use toolcrib_data::records::Tags;

/// Says who the user is.
pub(crate) struct CurrentUser;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Input {}

impl SystemTool for CurrentUser {
    type Input = Input;

    fn name(&self) -> &'static str {
        "current_user"
    }

    fn title(&self) -> &'static str {
        "Current user"
    }

    fn description(&self) -> &'static str {
        "Returns the user on whose behalf you work: id, name, e-mail address and roles."
    }

    fn level(&self) -> Level {
        Level::ReadOnly
    }

    fn call_title(&self, _: Caller<'_>, _: &Input, _: &str) -> String {
        "Look up the current user".to_owned()
    }

    async fn run(&self, context: &mut CallContext<'_>, _: &Input) -> ToolResult {
        context.tags.set(Tags::Nothing);
        let user = context.principal;
        ToolResult::success(
            json!({"id": user.user, "name": user.name, "email": user.email, "roles": user.roles}),
        )
    }
}
