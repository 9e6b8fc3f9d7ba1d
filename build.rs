//! Compiles the contract: descriptors with their options and comments, typed messages, services whose codec validates.

use std::{env, error::Error, fs, path::Path, path::PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    // protox does not tell cargo what it read.
    println!("cargo:rerun-if-changed=proto");
    println!("cargo:rerun-if-changed=third_party/proto");
    println!("cargo:rerun-if-changed=server/migrations");
    // A statement without its file must not compile because it did before.
    println!("cargo:rerun-if-changed=.sqlx");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut compiler = protox::Compiler::new(["proto", "third_party/proto"])?;
    compiler.include_source_info(true).include_imports(true).open_files(proto_files(Path::new("proto"))?)?;
    // The typed descriptor set would lose our options: the pool is built from the bytes.
    fs::write(out.join("descriptors.bin"), compiler.encode_file_descriptor_set())?;

    let mut config = prost_build::Config::new();
    for message in compiler.descriptor_pool().all_messages() {
        if message.package_name().starts_with("goodturn.") && !message.is_map_entry() {
            let name = message.full_name();
            config.type_attribute(
                format!(".{name}"),
                format!(
                    "#[derive(::prost_reflect::ReflectMessage)]\n\
                     #[prost_reflect(message_name = \"{name}\", descriptor_pool = \"crate::pb::POOL\")]"
                ),
            );
        }
    }
    let mut files = compiler.file_descriptor_set();
    files.file.retain(|f| f.package().starts_with("goodturn.") || matches!(f.package(), "google.protobuf" | "google.api"));
    tonic_prost_build::configure()
        .codec_path("crate::edge::codec::ValidatingCodec")
        .generate_default_stubs(true)
        .include_file("goodturn.rs")
        .compile_fds_with_config(files, config)?;
    Ok(())
}

fn proto_files(dir: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(proto_files(&path)?);
        } else if path.extension().is_some_and(|e| e == "proto") {
            let inside = path.strip_prefix("proto").unwrap_or(&path).to_path_buf();
            files.push(inside);
        }
    }
    files.sort();
    Ok(files)
}
