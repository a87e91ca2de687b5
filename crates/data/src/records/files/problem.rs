use std::fmt;

/// One file of the workspace, by its path relative to the workspace's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceFile {
    /// The path, for example `models/order.yaml`.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// One mistake in a file of the workspace, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileProblem {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{}:{}: {}",
            self.path, self.line, self.column, self.message
        )
    }
}
