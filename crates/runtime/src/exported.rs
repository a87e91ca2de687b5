use serde_json::Value;
use toolcrib::id::CallId;
use toolcrib_counter::Principal;
use toolcrib_data::StoreError;
use toolcrib_data::platform::{calls, handles};

use crate::Runtime;
use crate::view::call::output;

/// The tool whose results are handed over as files.
const TOOL: &str = "export_records";

/// Records that were exported.
#[derive(Clone, Debug)]
pub struct Exported {
    /// Their data model.
    pub model: String,
    /// The records, field by field.
    pub records: Vec<Value>,
}

impl Runtime {
    /// What a call of the user exported, as long as it is kept.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn exported(
        &self,
        principal: &Principal,
        id: CallId,
    ) -> Result<Option<Exported>, StoreError> {
        let mut snapshot = self.store().snapshot().await?;
        let row = calls::get(&mut snapshot, principal.org, id).await?;
        let row = row.filter(|row| row.asker == principal.user && row.tool == TOOL);
        let Some(mut whole) = row.as_ref().and_then(output) else {
            return Ok(None);
        };
        if let Some(handle) = row.as_ref().and_then(|row| row.handle.as_deref()) {
            let now = self.store().clock().micros();
            let (org, user) = (principal.org, principal.user);
            let content = handles::resolve(&mut snapshot, org, handle, user, now).await?;
            let Some(content) = content.and_then(|text| serde_json::from_str(&text).ok()) else {
                return Ok(None);
            };
            whole = content;
        }
        let model = whole.get("model").and_then(Value::as_str);
        let model = model.unwrap_or("records").to_owned();
        let records = whole.get_mut("records").map(Value::take);
        Ok(records.and_then(|records| match records {
            Value::Array(records) => Some(Exported { model, records }),
            _ => None,
        }))
    }
}
