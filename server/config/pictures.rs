//! Settings of pictures: a folder, or a bucket of any storage that speaks S3.

use super::{Config, Mode, values};
use crate::{adapters::pictures::s3, secrets::Secret};
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::path::PathBuf;
use url::Url;

/// Where the files of pictures are.
#[derive(Args, Clone, Debug)]
pub struct Pictures {
    /// Directory of pictures; several nodes share it. In local mode `pictures` in the data directory
    #[arg(long, env = "GOODTURN_PICTURES_DIR", global = true)]
    pub pictures_dir: Option<PathBuf>,
    /// Bucket of pictures, in place of a directory
    #[arg(long, env = "GOODTURN_PICTURES_S3_BUCKET", value_parser = bucket, global = true)]
    pub pictures_s3_bucket: Option<String>,
    /// Region of the bucket
    #[arg(long, env = "GOODTURN_PICTURES_S3_REGION", default_value = "us-east-1", value_parser = region, global = true)]
    pub pictures_s3_region: String,
    /// Storage of the bucket, as in https://minio.example:9000; Amazon's of the region when not set
    #[arg(long, env = "GOODTURN_PICTURES_S3_ENDPOINT", value_parser = values::origin, global = true)]
    pub pictures_s3_endpoint: Option<String>,
    /// Whether the bucket stands in the path of addresses; else in their host. When not set: if there is an endpoint
    #[arg(long, env = "GOODTURN_PICTURES_S3_IN_PATH", action = clap::ArgAction::Set, global = true)]
    pub pictures_s3_in_path: Option<bool>,
    /// Access key of the bucket
    #[arg(long, env = "GOODTURN_PICTURES_S3_KEY_ID", global = true)]
    pub pictures_s3_key_id: Option<String>,
    /// Secret of the access key
    #[arg(long, env = "GOODTURN_PICTURES_S3_SECRET", hide_env_values = true, global = true)]
    pub pictures_s3_secret: Option<Secret>,
    /// Whether production may reach the storage by http://, so that pictures travel in the clear
    #[arg(long, env = "GOODTURN_PICTURES_S3_PLAIN", default_value_t = false, action = clap::ArgAction::Set, global = true)]
    pub pictures_s3_plain: bool,
}

impl Pictures {
    /// The bucket, if there is one.
    ///
    /// # Errors
    /// When what it needs is missing, or its addresses cannot be made.
    pub fn bucket(&self) -> Result<Option<s3::Settings>> {
        let Some(bucket) = &self.pictures_s3_bucket else { return Ok(None) };
        let about = "--pictures-s3-bucket (GOODTURN_PICTURES_S3_BUCKET) needs";
        let (id, secret) = (self.pictures_s3_key_id.clone(), self.pictures_s3_secret.clone());
        let region = self.pictures_s3_region.clone();
        let amazon = || format!("https://s3.{region}.amazonaws.com");
        let endpoint = self.pictures_s3_endpoint.clone().unwrap_or_else(amazon);
        Ok(Some(s3::Settings {
            endpoint: Url::parse(&endpoint).context("--pictures-s3-endpoint (GOODTURN_PICTURES_S3_ENDPOINT)")?,
            in_path: self.pictures_s3_in_path.unwrap_or(self.pictures_s3_endpoint.is_some()),
            bucket: bucket.clone(),
            key_id: id.with_context(|| format!("{about} --pictures-s3-key-id (GOODTURN_PICTURES_S3_KEY_ID)"))?,
            secret: secret.with_context(|| format!("{about} --pictures-s3-secret (GOODTURN_PICTURES_S3_SECRET)"))?,
            region,
        }))
    }

    /// Where pages load pictures from beside the server itself.
    ///
    /// # Errors
    /// As `bucket`.
    pub fn origin(&self) -> Result<Option<String>> {
        self.bucket()?.map(|bucket| bucket.origin()).transpose().context("--pictures-s3-bucket (GOODTURN_PICTURES_S3_BUCKET)")
    }

    /// Checks what one setting alone cannot say.
    pub(super) fn check(&self) -> Result<()> {
        ensure!(
            self.pictures_dir.is_none() || self.pictures_s3_bucket.is_none(),
            "--pictures-dir (GOODTURN_PICTURES_DIR) and --pictures-s3-bucket (GOODTURN_PICTURES_S3_BUCKET) exclude each other: set one"
        );
        self.origin().map(drop)
    }

    /// Checks what production needs.
    pub(super) fn check_production(&self) -> Result<()> {
        ensure!(
            self.pictures_dir.is_some() || self.pictures_s3_bucket.is_some(),
            "production needs --pictures-dir (GOODTURN_PICTURES_DIR), or --pictures-s3-bucket (GOODTURN_PICTURES_S3_BUCKET)"
        );
        let plain = self.pictures_s3_endpoint.as_ref().is_some_and(|endpoint| !endpoint.starts_with("https://"));
        ensure!(
            self.pictures_s3_plain || !plain,
            "--pictures-s3-endpoint (GOODTURN_PICTURES_S3_ENDPOINT) must be https:// in production; --pictures-s3-plain=true \
             (GOODTURN_PICTURES_S3_PLAIN) allows http://"
        );
        Ok(())
    }
}

impl Config {
    /// The folder of pictures, where they are in one.
    pub fn pictures_dir(&self) -> PathBuf {
        self.pictures.pictures_dir.clone().unwrap_or_else(|| self.data_dir.join("pictures"))
    }

    /// Whether who comes by another name of this machine is told addresses under that one: in local mode, unless its address was set.
    pub fn follows_host(&self) -> bool {
        self.mode == Mode::Local && self.public_url.is_none()
    }
}

fn bucket(text: &str) -> Result<String, &'static str> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-".contains(c);
    if (3..=63).contains(&text.len()) && text.chars().all(plain) && !text.contains("..") {
        return Ok(text.to_owned());
    }
    Err("must be 3 to 63 lower-case letters, digits, dots and dashes")
}

fn region(text: &str) -> Result<String, &'static str> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if (1..=40).contains(&text.len()) && text.chars().all(plain) {
        return Ok(text.to_owned());
    }
    Err("must be lower-case letters, digits and dashes, as in eu-west-1")
}
