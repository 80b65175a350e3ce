//! A model that misbehaves when a text tells it to: `PANIC`, `SEGFAULT`, `NAN`, `EXIT`, `ERROR`, `PRINT`.

#![allow(clippy::panic, reason = "misbehaving is what this plugin is for")]

use mteb_plugin_api::v1::{Model, PluginError, Role};
use mteb_plugin_api::{Identity, Manifest, ModelInfo, PluginKind, export_model};

struct Faulty;

impl Model for Faulty {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            identity: Identity {
                name: "tests/faulty".to_owned(),
                revision: "1".to_owned(),
                ..Identity::default()
            },
            dimension: 2,
            ..ModelInfo::default()
        }
    }

    fn encode(&mut self, texts: &[&str], _: Role, _: &str, out: &mut [f32]) -> Result<(), PluginError> {
        for (row, text) in out.chunks_mut(2).zip(texts) {
            row.copy_from_slice(&[text.len() as f32 + 1.0, text.bytes().map(f32::from).sum()]);
            match *text {
                "PANIC" => panic!("this text is not for me"),
                "SEGFAULT" => segfault(),
                "NAN" => row[1] = f32::NAN,
                "EXIT" => std::process::exit(7),
                "ERROR" => return Err(PluginError::failed("this text cannot be encoded")),
                "PRINT" => println!("a plugin may print to standard output"),
                _ => {}
            }
        }
        Ok(())
    }
}

#[allow(unsafe_code)]
fn segfault() {
    // SAFETY: there is none; the write to address zero is what this plugin is for.
    unsafe { std::ptr::null_mut::<u8>().write_volatile(1) }
}

export_model! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::Model,
        name: "faulty".to_owned(),
        version: "1.0.0".to_owned(),
        features: Vec::new(),
        licence: "Apache-2.0".to_owned(),
        description: "Misbehaves on purpose.".to_owned(),
        models: vec!["faulty".to_owned()],
        tasks: Vec::new(),
    },
    new: |_| Ok(Box::new(Faulty)),
}
