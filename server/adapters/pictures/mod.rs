//! Where the files of pictures are: in a folder of this machine, or in any storage that speaks S3.

pub mod local;
pub mod s3;
