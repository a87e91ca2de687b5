use serde::{Deserialize, Serialize};
use toolcrib::id::CallId;
use toolcrib_data::platform::Page;
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, Code};

const USUAL: u32 = 50;
const MOST: u32 = 200;

/// Which part of a list.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// At most this many items: 1 to 200, usually 50.
    limit: Option<u32>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct List<T> {
    /// The items.
    pub(crate) items: Vec<T>,
    /// Where the next page begins; none on the last.
    pub(crate) next_cursor: Option<String>,
}

impl PageQuery {
    /// The page, asking for one item more than is shown, to see whether there is a next one.
    pub(crate) fn page(&self) -> Result<Page, ApiError> {
        let limit = self.limit.unwrap_or(USUAL);
        if limit == 0 || limit > MOST {
            return Err(ApiError::new(
                Code::InvalidRequest,
                format!("limit is between 1 and {MOST}, not {limit}."),
            ));
        }
        if self
            .cursor
            .as_ref()
            .is_some_and(|cursor| !is_cursor(cursor))
        {
            return Err(ApiError::new(
                Code::InvalidRequest,
                "cursor is the nextCursor of the page before, as it was.",
            ));
        }
        Ok(Page {
            limit: limit + 1,
            after: self.cursor.clone(),
        })
    }
}

impl<T> List<T> {
    /// Cuts off the item too many; the last one shown says where the next page begins.
    pub(crate) fn new(mut items: Vec<T>, page: &Page, cursor: impl Fn(&T) -> String) -> Self {
        let shown = usize::try_from(page.limit)
            .unwrap_or(usize::MAX)
            .saturating_sub(1);
        let has_more = items.len() > shown;
        items.truncate(shown);
        let next_cursor = items.last().filter(|_| has_more).map(cursor);
        Self { items, next_cursor }
    }

    /// A list that is whole.
    pub(crate) fn whole(items: Vec<T>) -> Self {
        Self {
            items,
            next_cursor: None,
        }
    }
}

/// An id, or a time and an id.
fn is_cursor(text: &str) -> bool {
    let (time, id) = text.split_once('.').unwrap_or(("0", text));
    time.parse::<i64>().is_ok() && id.parse::<CallId>().is_ok()
}
