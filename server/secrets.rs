//! Secrets of the configuration: never printed, and in local mode made and kept by the server itself.

use anyhow::{Context, Result, bail};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer};
use std::{
    collections::HashSet,
    fmt, fs,
    io::{ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    str::FromStr,
};

/// A text that prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from).map(Self)
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// 32 secret bytes, from which the server derives every key it seals or signs with. Prints as `***`.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretKey([u8; 32]);

impl SecretKey {
    /// The bytes.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Whether it was hardly drawn at random: of 32 random bytes, far more than 8 are different.
    pub fn is_guessable(&self) -> bool {
        self.0.iter().collect::<HashSet<_>>().len() < 8
    }

    /// From a file, which is made with new random bytes when there is none. Only its owner may read it.
    ///
    /// # Errors
    /// When the file cannot be read or made, or holds no key.
    pub fn kept_in(path: &Path) -> Result<Self> {
        let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
        let mut file = match made {
            Ok(file) => file,
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {
                let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
                return text.trim().parse().map_err(|e| anyhow::anyhow!("{}: {e}", path.display()));
            }
            Err(e) => return Err(e).with_context(|| format!("making {}", path.display())),
        };
        let key = Self(rand::random());
        writeln!(file, "{}", hex::encode(key.0))?;
        file.sync_all()?;
        Ok(key)
    }
}

impl FromStr for SecretKey {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let bytes = hex::decode(text).or_else(|_| STANDARD.decode(text)).unwrap_or_default();
        match bytes.try_into() {
            Ok(bytes) => Ok(Self(bytes)),
            Err(_) => bail!("must be 32 bytes in base64 or hex, as `openssl rand -base64 32` makes them"),
        }
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_secret_prints_as_stars() {
        assert_eq!(format!("{:?}", Some("canary".parse::<Secret>().unwrap())), "Some(***)");
        let key: SecretKey = "61".repeat(32).parse().unwrap();
        assert_eq!(format!("{key:?}"), "***");
    }

    #[test]
    fn a_key_is_32_bytes_in_hex_or_base64() {
        let hex: SecretKey = "61".repeat(32).parse().unwrap();
        let base64: SecretKey = STANDARD.encode([0x61; 32]).parse().unwrap();
        assert_eq!(hex, base64);
        for bad in ["", "61", "not a key", &"61".repeat(31), &STANDARD.encode([0; 33])] {
            assert!(bad.parse::<SecretKey>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_key_of_few_different_bytes_is_guessable() {
        for weak in ["00".repeat(32), "61".repeat(32), "0123456789abcd".repeat(5)[..64].to_owned()] {
            assert!(weak.parse::<SecretKey>().unwrap().is_guessable(), "{weak}");
        }
        assert!(!SecretKey(rand::random()).is_guessable());
    }

    #[test]
    fn a_made_key_is_kept_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("secret.key");
        let made = SecretKey::kept_in(&path).unwrap();
        assert_eq!(SecretKey::kept_in(&path).unwrap(), made);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::write(&path, "broken").unwrap();
        assert!(SecretKey::kept_in(&path).is_err());
    }
}
