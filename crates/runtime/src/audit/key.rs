use std::fmt;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use rand::RngCore as _;
use sha2::{Digest, Sha256};

use crate::RuntimeError;
use crate::setup::write_private;

/// The file of the key, beside the database and not in it.
const FILE: &str = "audit.key";

/// The key of the audit chain. Who has it can make a chain that verifies; who has not, can't.
#[derive(Clone)]
pub struct AuditKey([u8; 32]);

impl fmt::Debug for AuditKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AuditKey").field(&self.id()).finish()
    }
}

impl AuditKey {
    /// Reads a key of 64 hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut bytes = [0_u8; 32];
        hex::decode_to_slice(text.trim(), &mut bytes).ok()?;
        Some(Self(bytes))
    }

    /// The key in the private part of the workspace folder, made at the first start.
    pub(crate) fn of_folder(data: &Path) -> Result<Self, RuntimeError> {
        let path = data.join(FILE);
        match std::fs::read_to_string(&path) {
            Ok(text) => Self::parse(&text).ok_or_else(|| {
                // A new one in its place would hide that the old one is gone.
                let what = format!("{} is not 64 hexadecimal digits", path.display());
                let source = std::io::Error::from(std::io::ErrorKind::InvalidData);
                RuntimeError::Io { what, source }
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let mut bytes = [0_u8; 32];
                rand::rng().fill_bytes(&mut bytes);
                write_private(&path, &hex::encode(bytes))?;
                Ok(Self(bytes))
            }
            Err(source) => Err(RuntimeError::Io {
                what: format!("reading {}", path.display()),
                source,
            }),
        }
    }

    /// What names the key without telling it.
    #[must_use]
    pub fn id(&self) -> String {
        let digest = Sha256::digest([b"audit key ".as_slice(), &self.0].concat());
        hex::encode(digest.iter().take(8).copied().collect::<Vec<_>>())
    }

    /// Proves the parts: who changes one of them can't make the same again.
    pub(crate) fn prove(&self, parts: &[&[u8]]) -> String {
        // A key is filled up with zeros to the size of a block.
        let mut block = [0_u8; 64];
        for (to, from) in block.iter_mut().zip(self.0) {
            *to = from;
        }
        let mut mac = <Hmac<Sha256> as KeyInit>::new(&block.into());
        for part in parts {
            // With its length before it, no part can take from the next.
            mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            mac.update(part);
        }
        hex::encode(mac.finalize().into_bytes())
    }
}
