//! Signing in: links that are spent once, sessions, tokens.

use jiff::SignedDuration;
use rand::RngCore as _;
use sha2::{Digest, Sha256};
use toolcrib::id::{CredentialId, UserId};
use toolcrib_counter::Principal;
use toolcrib_data::StoreError;
use toolcrib_data::platform::people::{
    self, CredentialKind, CredentialRow, NewCredential, UserRow,
};

use crate::{Runtime, RuntimeError};

const LINK_LIFETIME: SignedDuration = SignedDuration::from_mins(30);
const SESSION_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 14);

/// A session or token that was just made. Its secret is shown once and stored nowhere.
pub struct SignedIn {
    /// The secret.
    pub secret: String,
    /// Who is signed in.
    pub principal: Principal,
}

impl std::fmt::Debug for SignedIn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignedIn")
            .field("user", &self.principal.user)
            .finish_non_exhaustive()
    }
}

/// An API token to make.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What its owner calls it.
    pub name: String,
    /// What it may do beyond calling tools.
    pub scopes: Vec<String>,
    /// Whether a person can be asked when it is used.
    pub attended: bool,
    /// How long it holds; for ever when unset.
    pub lifetime: Option<SignedDuration>,
}

/// 256 random bits, as text.
fn secret(prefix: &str) -> String {
    let mut bits = [0_u8; 32];
    rand::rng().fill_bytes(&mut bits);
    format!("{prefix}{}", hex::encode(bits))
}

fn hash(secret: &str) -> String {
    hex::encode(Sha256::digest(secret.as_bytes()))
}

impl Runtime {
    fn after(&self, lifetime: SignedDuration) -> i64 {
        let lifetime = i64::try_from(lifetime.as_micros()).unwrap_or(i64::MAX / 2);
        self.store().clock().micros().saturating_add(lifetime)
    }

    /// Makes a sign-in link for a user, to be spent once within half an hour; answers with its token.
    ///
    /// # Errors
    /// When storage fails. There is nothing to answer with when there is no such user.
    pub async fn sign_in_link(&self, email: &str) -> Result<Option<String>, RuntimeError> {
        let Some(user) = self.user_by_email(email).await? else {
            return Ok(None);
        };
        let token = secret("");
        let mut unit = self.store().unit().await?;
        people::insert_link(
            &mut unit,
            user.org,
            user.id,
            &hash(&token),
            self.after(LINK_LIFETIME),
        )
        .await?;
        unit.commit().await?;
        Ok(Some(token))
    }

    /// Spends a sign-in link. The second time there is nothing to answer with.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn sign_in(&self, token: &str) -> Result<Option<SignedIn>, RuntimeError> {
        let mut unit = self.store().unit().await?;
        let Some(user) =
            people::spend_link(&mut unit, &hash(token), self.store().clock().micros()).await?
        else {
            return Ok(None);
        };
        let row = self.session_row(&user);
        let secret = secret("");
        people::insert_credential(
            &mut unit,
            NewCredential {
                row: &row,
                hash: &hash(&secret),
            },
        )
        .await?;
        unit.commit().await?;
        tracing::info!(user = %user.id, "signed in");
        Ok(Some(SignedIn {
            secret,
            principal: Principal::new(user, Some(row)),
        }))
    }

    /// Opens a session for somebody who sits at the machine and has shown that by other means.
    ///
    /// # Errors
    /// When storage fails. There is nothing to answer with when there is no such user.
    pub async fn local_session(&self, email: &str) -> Result<Option<SignedIn>, RuntimeError> {
        match self.sign_in_link(email).await? {
            Some(token) => self.sign_in(&token).await,
            None => Ok(None),
        }
    }

    fn session_row(&self, user: &UserRow) -> CredentialRow {
        CredentialRow {
            org: user.org,
            id: CredentialId::mint(),
            kind: CredentialKind::Session,
            user: user.id,
            name: None,
            scopes: Vec::new(),
            attended: true,
            created_at: self.store().clock().micros(),
            expires_at: Some(self.after(SESSION_LIFETIME)),
        }
    }

    /// Makes an API token for a user; answers with its secret.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn new_token(
        &self,
        user: UserId,
        new: &NewToken,
    ) -> Result<(String, CredentialRow), RuntimeError> {
        let secret = secret("tcr_");
        let row = CredentialRow {
            org: self.org(),
            id: CredentialId::mint(),
            kind: CredentialKind::Token,
            user,
            name: Some(new.name.clone()),
            scopes: new.scopes.clone(),
            attended: new.attended,
            created_at: self.store().clock().micros(),
            expires_at: new.lifetime.map(|lifetime| self.after(lifetime)),
        };
        let mut unit = self.store().unit().await?;
        people::insert_credential(
            &mut unit,
            NewCredential {
                row: &row,
                hash: &hash(&secret),
            },
        )
        .await?;
        unit.commit().await?;
        Ok((secret, row))
    }

    /// Who comes in with that secret, if it is in force.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn authenticate(&self, secret: &str) -> Result<Option<Principal>, StoreError> {
        let now = self.store().clock().micros();
        let found =
            people::authenticate(&mut self.store().snapshot().await?, &hash(secret), now).await?;
        Ok(found.map(|(credential, user)| Principal::new(user, Some(credential))))
    }

    /// Everybody in the organisation, by address.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn users(&self) -> Result<Vec<UserRow>, StoreError> {
        people::users(&mut self.store().snapshot().await?, self.org()).await
    }

    /// The address of the first administrator, for whoever sits at the machine and names nobody.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn administrator(&self) -> Result<Option<String>, StoreError> {
        let users = self.users().await?.into_iter();
        let mut administrators =
            users.filter(|user| !user.disabled && user.roles.iter().any(|role| role == "admin"));
        Ok(administrators.next().map(|user| user.email))
    }

    /// The user with that address.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn user_by_email(&self, email: &str) -> Result<Option<UserRow>, StoreError> {
        people::user_by_email(&mut self.store().snapshot().await?, self.org(), email).await
    }
}
