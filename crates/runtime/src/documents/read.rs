use toolcrib_counter::Principal;
use toolcrib_data::platform::documents::{self, DocumentRow};
use toolcrib_data::platform::people;
use toolcrib_data::records::{Database, MAIN, Model};

use super::error::DocumentError;
use super::path::DocumentPath;
use crate::view::time;
use crate::{
    ConnectionView, DocumentView, FileOrigin, ModelView, ModelsView, Person, Runtime, Workspace,
};

impl Runtime {
    /// A file of the workspace, wherever it comes from.
    ///
    /// # Errors
    /// When the user may not see it, or there is none.
    pub async fn document(
        &self,
        principal: &Principal,
        path: &str,
    ) -> Result<DocumentView, DocumentError> {
        if !principal.may_edit() {
            return Err(DocumentError::NotAllowed);
        }
        let workspace = self.workspace();
        let origin = workspace.origins.get(path);
        let origin = *origin.ok_or(DocumentError::NotFound)?;
        if origin == FileOrigin::Folder {
            // As it is there now, which may not be loaded yet.
            let text = std::fs::read_to_string(self.dir().join(path));
            let text = text.map_err(|_| DocumentError::NotFound)?;
            let parsed = DocumentPath::parse(path).ok();
            return Ok(DocumentView {
                path: path.to_owned(),
                origin: origin.name().to_owned(),
                version: None,
                definition: parsed.and_then(|path| path.definition(&text)),
                text,
                saved_at: None,
                saved_by: None,
            });
        }
        let mut snapshot = self.store().snapshot().await?;
        let newest = documents::newest(&mut snapshot, principal.org, path).await?;
        let DocumentRow {
            version,
            text,
            saved_by,
            saved_at,
            ..
        } = newest.ok_or(DocumentError::NotFound)?;
        let text = text.ok_or(DocumentError::NotFound)?;
        let saver = people::user(&mut snapshot, principal.org, saved_by).await?;
        Ok(DocumentView {
            path: path.to_owned(),
            origin: origin.name().to_owned(),
            version: Some(version),
            definition: DocumentPath::parse(path)?.definition(&text),
            text,
            saved_at: Some(time(saved_at)),
            saved_by: Some(Person {
                id: saved_by.to_string(),
                name: saver.map(|user| user.name).unwrap_or_default(),
            }),
        })
    }

    /// The files of the workspace, wherever they come from, by path.
    ///
    /// # Errors
    /// When the user may not see them.
    pub async fn documents(
        &self,
        principal: &Principal,
    ) -> Result<Vec<DocumentView>, DocumentError> {
        if !principal.may_edit() {
            return Err(DocumentError::NotAllowed);
        }
        let mut views = Vec::new();
        for path in self.workspace().origins.keys() {
            match self.document(principal, path).await {
                Ok(view) => views.push(view),
                // It went a moment ago.
                Err(DocumentError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(views)
    }

    /// The data models as those who make them see them, and where their records are.
    ///
    /// # Errors
    /// When the user makes none.
    pub fn models_view(&self, principal: &Principal) -> Result<ModelsView, DocumentError> {
        if !principal.may_edit() {
            return Err(DocumentError::NotAllowed);
        }
        let workspace = self.workspace();
        let catalog = &workspace.catalog;
        let on = |name: &str| {
            let place = |model: &&Model| model.connection().unwrap_or(MAIN) == name;
            catalog.models().filter(place).count()
        };
        let main = Database {
            dialect: self.store().dialect(),
            read_only: false,
        };
        let others = self.databases().iter();
        let others = others.filter(|(name, _)| name.as_str() != MAIN);
        let all = std::iter::once((MAIN, &main));
        let all = all.chain(others.map(|(name, database)| (name.as_str(), database)));
        Ok(ModelsView {
            connections: all
                .map(|(name, database)| ConnectionView {
                    name: name.to_owned(),
                    database: database.dialect.key().to_owned(),
                    read_only: database.read_only,
                    models: on(name),
                })
                .collect(),
            models: catalog
                .models()
                .map(|model| model_view(&workspace, model))
                .collect(),
        })
    }
}

fn model_view(workspace: &Workspace, model: &Model) -> ModelView {
    let path = workspace.catalog.path_of(&model.name).unwrap_or_default();
    let origin = workspace.origins.get(path).copied();
    let origin = origin.unwrap_or(FileOrigin::Folder);
    let mapping = model.mapping.as_ref();
    ModelView {
        name: model.name.clone(),
        title: model.title.clone(),
        title_plural: model.title_plural.clone(),
        path: path.to_owned(),
        origin: origin.name().to_owned(),
        version: origin.version(),
        connection: model.connection().map(str::to_owned),
        table: mapping.map(|mapping| match &mapping.schema {
            Some(schema) => format!("{schema}.{}", mapping.table),
            None => mapping.table.clone(),
        }),
        read_only: mapping.is_some_and(|mapping| mapping.read_only),
        fields: model.fields.len(),
    }
}
