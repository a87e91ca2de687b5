//! One file an endpoint; this is the list of them.

mod agents;
mod approvals;
mod audit;
mod calls;
mod conversations;
mod documents;
mod events;
mod grants;
mod handles;
mod health;
mod language_models;
mod models;
mod records;
mod session;
mod setup;
mod tokens;
mod tools;
mod usage;

use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

pub(crate) fn all() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health::alive))
        .routes(routes!(health::ready))
        .routes(routes!(
            session::create::create,
            session::read::read,
            session::delete::delete
        ))
        .routes(routes!(session::local::local))
        .routes(routes!(setup::read))
        .routes(routes!(language_models::check::check))
        .routes(routes!(language_models::save::save))
        .routes(routes!(tokens::create::create, tokens::list::list))
        .routes(routes!(tokens::revoke::revoke))
        .routes(routes!(tools::list::list))
        .routes(routes!(tools::read::read, tools::update::update))
        .routes(routes!(tools::call::call))
        .routes(routes!(tools::versions::versions))
        .routes(routes!(tools::restore::restore))
        .routes(routes!(grants::list::list))
        .routes(routes!(grants::revoke::revoke))
        .routes(routes!(calls::list::list))
        .routes(routes!(calls::read::read))
        .routes(routes!(calls::export::export))
        .routes(routes!(handles::read))
        .routes(routes!(records::file::file))
        .routes(routes!(audit::calls::calls))
        .routes(routes!(audit::read::read))
        .routes(routes!(audit::erase::erase))
        .routes(routes!(audit::people::people))
        .routes(routes!(audit::chain::chain))
        .routes(routes!(audit::verify::verify))
        .routes(routes!(audit::export::export))
        .routes(routes!(events::list::list, events::create::create))
        .routes(routes!(events::change::change, events::delete::delete))
        .routes(routes!(events::renew::renew))
        .routes(routes!(events::test::test))
        .routes(routes!(events::deliveries::deliveries))
        .routes(routes!(events::retry_all::retry_all))
        .routes(routes!(events::forget::forget))
        .routes(routes!(events::retry::retry))
        .routes(routes!(usage::list::list))
        .routes(routes!(usage::allowance::allowance))
        .routes(routes!(usage::policies::list, usage::policies::create))
        .routes(routes!(usage::policies::change, usage::policies::delete))
        .routes(routes!(models::list))
        .routes(routes!(documents::list::list))
        .routes(routes!(documents::rows::rows))
        .routes(routes!(
            documents::read::read,
            documents::save::save,
            documents::delete::delete
        ))
        .routes(routes!(approvals::list::list))
        .routes(routes!(approvals::read::read, approvals::decide::decide))
        .routes(routes!(agents::list::list))
        .routes(routes!(agents::read::read))
        .routes(routes!(agents::chat::chat))
        .routes(routes!(agents::stream::stream))
        .routes(routes!(agents::trial::try_run))
        .routes(routes!(conversations::list::list))
        .routes(routes!(
            conversations::read::read,
            conversations::rename::rename,
            conversations::delete::delete
        ))
        .routes(routes!(conversations::stream::stream))
        .routes(routes!(conversations::stop::stop))
}
