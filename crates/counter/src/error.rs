use toolcrib_data::StoreError;

/// Why the counter itself could not do its work. A call that fails is no such error.
#[derive(Debug, thiserror::Error)]
pub enum CounterError {
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The run was taken over by another server, or has ended.
    #[error("the lease on the run is lost")]
    LeaseLost,
    /// A stored call is not in a state that this can go on from.
    #[error("the call is {0} and can't be run")]
    WrongState(toolcrib::state::CallState),
    /// The idempotency key was used for other arguments.
    #[error("this idempotency key was used with other arguments")]
    KeyReused,
    /// A built-in tool is not sound.
    #[error("built-in tool {name}: {problem}")]
    BuiltIn {
        /// The tool.
        name: String,
        /// What is wrong with it.
        problem: String,
    },
}
