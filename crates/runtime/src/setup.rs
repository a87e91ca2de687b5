//! What the first start on a folder does, and each later one checks.

use std::fs;
use std::path::Path;

use toolcrib::id::{OrgId, UserId};
use toolcrib_data::platform::people::{self, OrgRow, UserRow};
use toolcrib_data::platform::{calls, leases, runs};
use toolcrib_data::records::{MigrateError, MigrationStep};
use toolcrib_data::{Store, Unit, records};

use crate::{RuntimeError, Workspace};

fn io(what: &str, path: &Path) -> impl FnOnce(std::io::Error) -> RuntimeError {
    let what = format!("{what} {}", path.display());
    move |source| RuntimeError::Io { what, source }
}

/// Makes the folder and its private part, which nobody else on the machine can look into.
pub(crate) fn make_folders(dir: &Path, data: &Path) -> Result<(), RuntimeError> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(data).map_err(io("making", data))?;
    fs::set_permissions(data, fs::Permissions::from_mode(0o700)).map_err(io("closing", data))?;
    if dir.read_dir().is_err() {
        fs::create_dir_all(dir).map_err(io("making", dir))?;
    }
    Ok(())
}

/// Whether an organisation is stored already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HasDatabase {
    Yes,
    No,
}

/// Puts the sample shop into a folder that holds nothing but its private part. Answers whether the
/// folder is a sample. The mark is there before the first file and stays until a database is, so
/// that a start that was cut short is begun anew.
pub(crate) fn prepare_sample(
    dir: &Path,
    data: &Path,
    database: HasDatabase,
) -> Result<bool, RuntimeError> {
    let mark = data.join("sample");
    let is_empty = fs::read_dir(dir)
        .map_err(io("reading", dir))?
        .flatten()
        .all(|entry| entry.path() == data);
    if is_empty && database == HasDatabase::No {
        write_private(&mark, "")?;
    }
    if mark.exists() && database == HasDatabase::No {
        for (name, text) in records::sample::FILES {
            let path = dir.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(io("making", parent))?;
            }
            // Whole or not at all, and never over what somebody wrote.
            let part = path.with_extension("part");
            if !path.exists() {
                fs::write(&part, text).map_err(io("writing", &part))?;
                fs::rename(&part, &path).map_err(io("writing", &path))?;
            }
        }
    }
    Ok(mark.exists())
}

/// Writes a file that only its owner can read.
pub(crate) fn write_private(path: &Path, text: &str) -> Result<(), RuntimeError> {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(io("making", parent))?;
    }
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(true).write(true).mode(0o600);
    let mut file = options.open(path).map_err(io("writing", path))?;
    file.write_all(text.as_bytes()).map_err(io("writing", path))
}

/// Brings the database to where the workspace wants it, in one unit.
pub(crate) async fn set_up(
    store: &Store,
    workspace: &Workspace,
    dir: &Path,
    allow_data_loss: bool,
    is_sample: bool,
) -> Result<OrgRow, RuntimeError> {
    let now = store.clock().micros();
    let mut unit = store.unit_alone().await?;
    if store.path().is_some() {
        // This process is the only server of an embedded database: it holds the lock.
        runs::free_all(&mut unit).await?;
        leases::free_all(&mut unit).await?;
    }
    let existing = people::orgs(&mut unit).await?.into_iter().next();
    let is_new = existing.is_none();
    let org = match existing {
        Some(org) => org,
        None => {
            let org = OrgRow {
                id: OrgId::mint(),
                slug: "main".to_owned(),
                name: org_name(dir, is_sample),
            };
            people::insert_org(&mut unit, &org, now).await?;
            for user in first_users(org.id, is_sample) {
                people::insert_user(&mut unit, &user, now).await?;
            }
            org
        }
    };
    let brought = bring_tables(&mut unit, &org, workspace, allow_data_loss).await;
    brought.map_err(|error| RuntimeError::Models(error.to_string()))?;
    if is_new && is_sample {
        fill_sample(store, &mut unit, &org, workspace).await?;
    }
    unit.commit().await?;
    Ok(org)
}

/// What people call the organisation: the sample by its name, another one as its folder.
fn org_name(dir: &Path, is_sample: bool) -> String {
    if is_sample {
        return "Sample shop".to_owned();
    }
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let name = dir.file_name().and_then(|name| name.to_str());
    name.unwrap_or("Toolcrib").to_owned()
}

/// Who is there at first: an administrator; in the sample shop also a manager and two sales people.
fn first_users(org: OrgId, is_sample: bool) -> Vec<UserRow> {
    let user = |(email, name, role): (&str, &str, &str)| UserRow {
        org,
        id: UserId::mint(),
        email: email.to_owned(),
        name: name.to_owned(),
        roles: vec![role.to_owned()],
        attributes: serde_json::Map::new(),
        disabled: false,
    };
    let people: &[_] = if is_sample {
        &[
            ("admin@shop.test", "Ada Admin", "admin"),
            ("mona@shop.test", "Mona Manager", "manager"),
            ("sam@shop.test", "Sam Sales", "sales"),
            ("sue@shop.test", "Sue Sales", "sales"),
        ]
    } else {
        &[("admin@localhost", "Administrator", "admin")]
    };
    people.iter().copied().map(user).collect()
}

async fn fill_sample(
    store: &Store,
    unit: &mut Unit,
    org: &OrgRow,
    workspace: &Workspace,
) -> Result<(), RuntimeError> {
    let today = jiff::tz::Offset::UTC
        .to_datetime(store.clock().now())
        .date();
    let users = people::users(unit, org.id).await?;
    let sales: Vec<(UserId, String)> = users
        .into_iter()
        .filter(|user| user.roles.iter().any(|role| role == "sales"))
        .map(|user| (user.id, user.email))
        .collect();
    let filled = records::sample::fill(
        unit,
        &org.slug,
        &workspace.catalog,
        20_261_130,
        today,
        &sales,
    )
    .await;
    let counts = filled.map_err(|error| RuntimeError::Models(error.to_string()))?;
    tracing::info!(?counts, "the sample shop is filled");
    Ok(())
}

/// Brings the tables of an organisation's data models to where they are to be. Which calls wrote
/// records of a model that goes is nothing to one of the same name that comes later, whose records
/// begin with the same ids.
pub(crate) async fn bring_tables(
    unit: &mut Unit,
    org: &OrgRow,
    workspace: &Workspace,
    allow_data_loss: bool,
) -> Result<Vec<MigrationStep>, MigrateError> {
    let steps = records::migrate(unit, &org.slug, &workspace.catalog, allow_data_loss).await?;
    for step in &steps {
        if let MigrationStep::DropModel { model } = step {
            calls::forget_model(unit, org.id, model).await?;
        }
    }
    Ok(steps)
}
