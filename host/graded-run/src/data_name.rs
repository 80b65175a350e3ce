//! The data of a unit in one line: equal names mean equal rows.

use mteb_files::hex;
use mteb_results::identity::DataFacts;
use sha2::{Digest, Sha256};

/// The name of the data: dataset and revision of what is fetched, a hash of rows or files elsewhere.
pub fn data_name(data: &DataFacts) -> String {
    match data {
        DataFacts::Fetched { dataset, revision, .. } => format!("{dataset}@{revision}"),
        DataFacts::Pack { pack, rows, .. } => format!("pack {pack}, rows {rows}"),
        DataFacts::Local(_) => {
            let hash = Sha256::digest(data.to_json().to_python(0));
            format!("files {}", hex(&hash))
        }
    }
}
