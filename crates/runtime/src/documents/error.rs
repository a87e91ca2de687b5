use toolcrib_counter::CounterError;
use toolcrib_data::StoreError;
use toolcrib_data::records::FileProblem;

/// Why a document was not changed.
#[derive(Debug, thiserror::Error)]
pub enum DocumentError {
    /// The path is none of a workspace.
    #[error("`{0}` is no path of a workspace: use {PLACES}, named with a-z, 0-9, _, - and .")]
    Path(String),
    /// The user may not.
    #[error("only administrators and builders may change the workspace")]
    NotAllowed,
    /// The user is no administrator, and it says who may do what.
    #[error("only administrators may change who may do what")]
    AdminsOnly,
    /// It is a file of the workspace folder.
    #[error("`{0}` is a file of the workspace folder; change it there")]
    OwnedByFile(String),
    /// There is no such document.
    #[error("there is no such document")]
    NotFound,
    /// There is one already.
    #[error("there is a document of that path already; name the version that you change")]
    Exists,
    /// Somebody saved in between.
    #[error("the document was changed by somebody else; it is at version {version} now")]
    Changed {
        /// The version it is at.
        version: i64,
    },
    /// It is too long.
    #[error("a document may have at most {most} bytes")]
    TooLarge {
        /// How many bytes it may have.
        most: usize,
    },
    /// It is a text, and has no definition.
    #[error("this document is text; send it as `text`")]
    TextOnly,
    /// The workspace would not be sound.
    #[error("the workspace would not be sound with it")]
    Problems(Vec<FileProblem>),
    /// The stored records don't fit.
    #[error("the stored records don't fit the data models")]
    Blocked(Vec<String>),
    /// Stored records would be lost, and that was not allowed.
    #[error("stored records would be lost; allow that, if it is meant")]
    DataLoss(Vec<String>),
    /// The counter failed.
    #[error(transparent)]
    Counter(#[from] CounterError),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

const PLACES: &str = "models/*.yaml, permissions/*.yaml, queries/*.yaml, tools/*.yaml, agents/*.md or restrictions.yaml";
