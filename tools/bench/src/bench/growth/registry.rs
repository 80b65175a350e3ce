//! A registry of made cards, each with as much in it as a real one has.

use std::fs;
use std::io;
use std::path::Path;

/// Types that a card on the hub may have without saying more.
const TYPES: [&str; 4] = ["Classification", "STS", "Retrieval", "BitextMining"];

/// Writes `registry.toml` and so many cards into `folder`.
pub fn write(folder: &Path, cards: usize) -> io::Result<()> {
    let place = folder.join("cards");
    fs::create_dir_all(&place)?;
    for number in 0..cards {
        fs::write(place.join(format!("Made{number}.toml")), card(number))?;
    }
    fs::write(folder.join("registry.toml"), "schema = 1\nname = \"growth\"\ncards = [\"cards\"]\n")
}

fn card(number: usize) -> String {
    let task_type = TYPES[number % TYPES.len()];
    format!(
        "schema = 1
name = \"Made{number}\"
type = \"{task_type}\"
description = \"Made for the benchmark of growth: short reviews and posts in three languages of Indonesia.\"
reference = \"https://example.org/made/{number}\"
eval_splits = [\"test\"]
domains = [\"Reviews\", \"Social\", \"Written\"]
license = \"cc-by-sa-4.0\"
annotations = \"expert-annotated\"
sample_creation = \"found\"
date = [\"2022-05-01\", \"2023-05-08\"]
citation = '''
@inproceedings{{made{number},
  author = {{Nobody and Others}},
  booktitle = {{Proceedings of no conference}},
  title = {{A dataset that is made for a benchmark}},
  year = {{2023}},
}}
'''

[dataset]
hub = \"mteb-host-bench/Made{number}\"
revision = \"0000000000000000000000000000000000000001\"

[subsets]
ind = {{ languages = [\"ind-Latn\"] }}
jav = {{ languages = [\"jav-Latn\"] }}
sun = {{ languages = [\"sun-Latn\"] }}
"
    )
}
