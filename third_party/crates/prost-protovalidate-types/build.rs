use std::env;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let proto_dir = "proto";
    let files = &["buf/validate/validate.proto"];

    for f in files {
        println!("cargo:rerun-if-changed={proto_dir}/{f}");
    }

    let base_path = PathBuf::from(
        env::var("OUT_DIR")
            .map_err(|err| format!("missing OUT_DIR environment variable: {err}"))?,
    );
    let descriptor_path = base_path.join("file_descriptor_set.bin");

    // Changed for Goodturn: protox compiles the descriptors, so that no protoc is needed.
    let mut compiler = protox::Compiler::new([proto_dir])?;
    compiler
        .include_imports(true)
        .include_source_info(true)
        .open_files(files)?;
    std::fs::write(&descriptor_path, compiler.encode_file_descriptor_set())?;
    let mut config = prost_build::Config::new();
    config.skip_protoc_run();

    #[cfg(feature = "reflect")]
    prost_reflect_build::Builder::new()
        .file_descriptor_set_path(&descriptor_path)
        .descriptor_pool("DESCRIPTOR_POOL")
        .compile_protos_with_config(config, files, &[proto_dir])?;

    #[cfg(not(feature = "reflect"))]
    config
        .file_descriptor_set_path(&descriptor_path)
        .compile_protos(files, &[proto_dir])?;

    Ok(())
}
