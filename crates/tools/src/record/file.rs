use toolcrib_counter::Principal;
use toolcrib_data::Store;
use toolcrib_data::records::{self, FileContent, RecordError};

use super::RecordData;

impl RecordData {
    /// The file in a field of a record that the user may read; it is for people and programs, and
    /// no answer of a tool.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn file(
        &self,
        store: &Store,
        principal: &Principal,
        (model, id, field): (&str, &str, &str),
    ) -> Result<Option<FileContent>, RecordError> {
        let access = self.access(principal, None);
        let mut view = match self.view_of(model).await? {
            Some(view) => view,
            None => store.snapshot().await?,
        };
        records::file(&mut view, &access, (model, id, field)).await
    }
}
