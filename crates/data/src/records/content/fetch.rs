use super::UNKNOWN_TYPE;
use super::told::Told;
use crate::ReadFrom;
use crate::records::access::Access;
use crate::records::criteria::path::Names as _;
use crate::records::error::RecordError;
use crate::records::functions::ModelFunction;
use crate::records::ids::key;
use crate::records::input::RecordId;
use crate::records::model::{Field, FieldType, Model};
use crate::records::read::storage;
use crate::records::rights::allowed::Readable;
use crate::records::run_sql::rows;
use crate::records::select::Selection;
use crate::records::values::cell::Cell;

/// The content of a file, and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContent {
    /// Its name.
    pub name: String,
    /// Its media type, as it was given with it: nothing looked into the content.
    pub media_type: String,
    /// The content.
    pub bytes: Vec<u8>,
}

/// The file in a field of a record; nothing where there is none that the user may read, whatever
/// of it is missing.
///
/// # Errors
/// When the database fails.
pub async fn file(
    from: &mut impl ReadFrom,
    access: &Access,
    (model, id, field): (&str, &str, &str),
) -> Result<Option<FileContent>, RecordError> {
    let Some((model, field)) = known(access, model, field) else {
        return Ok(None);
    };
    let Ok(id) = key(model, &RecordId::Text(id.to_owned())) else {
        return Ok(None);
    };
    let statement = {
        let mut selection = Selection::new(access, model);
        let told = selection.scope.own(field).canonical();
        let content = selection.scope.content(field);
        selection.extra(told);
        selection.extra(content);
        selection.with_ids(&[id]);
        selection.finish()?.0
    };
    let mut conn = from.as_conn().await?;
    let found = rows(&mut conn, statement).await.map_err(storage)?;
    let Some(Ok([_, told, content])) = found.into_iter().next().map(<[Cell; 3]>::try_from) else {
        return Ok(None);
    };
    let told = match told {
        Cell::Text(text) => Told::read(&text),
        _ => None,
    };
    let bytes = match content {
        Cell::Bytes(bytes) => bytes,
        // One database hands over both alike.
        Cell::Text(text) => text.into_bytes(),
        _ => return Ok(None),
    };
    let (name, media_type) = told.map_or((None, None), |told| (told.name, Some(told.media_type)));
    Ok(Some(FileContent {
        name: name.unwrap_or_else(|| field.name.clone()),
        media_type: media_type.unwrap_or_else(|| UNKNOWN_TYPE.to_owned()),
        bytes,
    }))
}

/// The model and its field, if the user may know of both.
fn known<'a>(access: &'a Access, model: &str, field: &str) -> Option<(&'a Model, &'a Field)> {
    let model = access.function_of(model, ModelFunction::Read).ok()?;
    let field = Readable(access).find(model, field).ok()?;
    matches!(field.kind, FieldType::Binary { .. }).then_some((model, field))
}
