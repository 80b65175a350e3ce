//! The Indonesian task pack: authored datasets in natural Indonesian, bundled with their cards.

mod datasets;

pub use datasets::{DATASETS, Dataset, IndonesiaPack, Packed};

use mteb_plugin_api::{Manifest, PluginKind, export_task_pack};

export_task_pack! {
    manifest: Manifest {
        schema: 1,
        kind: PluginKind::TaskPack,
        name: "indonesia".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        features: Vec::new(),
        licence: env!("CARGO_PKG_LICENSE").to_owned(),
        description: env!("CARGO_PKG_DESCRIPTION").to_owned(),
        models: Vec::new(),
        tasks: DATASETS.iter().map(|dataset| dataset.name.to_owned()).collect(),
    },
    pack: IndonesiaPack,
}
