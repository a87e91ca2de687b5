use serde::Serialize;
use serde_json::Value;

use crate::{ToolError, ToolResult};

/// What a function may answer to be a tool.
///
/// ```
/// use toolcrib::{IntoToolResult, Json, ToolError, ToolResult};
///
/// assert_eq!("done".into_tool_result(), ToolResult::success("done"));
/// assert_eq!(Json(vec![1, 2]).into_tool_result(), ToolResult::success(vec![1, 2]));
/// let failed: Result<String, ToolError> = Err(ToolError::new("No such order."));
/// assert_eq!(failed.into_tool_result(), ToolResult::failure("No such order."));
/// ```
pub trait IntoToolResult {
    /// The result.
    fn into_tool_result(self) -> ToolResult;
}

/// Answers with anything that can be written as JSON.
///
/// Shown at [`IntoToolResult`].
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl IntoToolResult for ToolResult {
    fn into_tool_result(self) -> ToolResult {
        self
    }
}

impl<T: IntoToolResult, E: Into<ToolError>> IntoToolResult for Result<T, E> {
    fn into_tool_result(self) -> ToolResult {
        match self {
            Ok(output) => output.into_tool_result(),
            Err(error) => ToolResult::failure(error.into().told()),
        }
    }
}

impl<T: Serialize> IntoToolResult for Json<T> {
    fn into_tool_result(self) -> ToolResult {
        match serde_json::to_value(self.0) {
            Ok(output) => ToolResult::success(output),
            Err(error) => ToolResult::failure(ToolError::from(error).told()),
        }
    }
}

impl IntoToolResult for () {
    fn into_tool_result(self) -> ToolResult {
        ToolResult::success("Done.")
    }
}

macro_rules! outputs {
    ($($ty:ty),* $(,)?) => {$(
        impl IntoToolResult for $ty {
            fn into_tool_result(self) -> ToolResult {
                ToolResult::success(Value::from(self))
            }
        }
    )*};
}

outputs!(
    String, &str, Value, bool, i8, i16, i32, i64, u8, u16, u32, u64, usize, isize, f32, f64
);
