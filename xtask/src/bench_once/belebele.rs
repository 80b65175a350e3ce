//! A search task like Belebele: many languages ask about the same passages.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

/// The task's name.
pub const TASK: &str = "MadeLikeBelebele";

/// Subsets, as Belebele has languages.
const SUBSETS: usize = 122;

/// Passages, which are the same in every subset; Belebele has 488.
const PASSAGES: u64 = 100;

/// Queries a subset; Belebele has 900.
const QUERIES: u64 = 20;

const WORDS: [&str; 24] = [
    "warga", "desa", "pasar", "harga", "beras", "hutan", "sungai", "kota", "sekolah", "guru", "anak",
    "jalan", "rumah", "hujan", "panen", "kapal", "nelayan", "pulau", "gunung", "kabar", "hari", "malam",
    "orang", "tahun",
];

/// Writes the registry `once.toml` with the task and its data into `folder`.
pub fn write(folder: &Path) -> io::Result<()> {
    let mut card = format!(
        "schema = 1\nname = \"{TASK}\"\ntype = \"Retrieval\"\ndescription = \"Made for the benchmark.\"\n\
         eval_splits = [\"test\"]\n\n[dataset]\npath = \"../data\"\n\n[subsets]\n"
    );
    let passages: String = (0..PASSAGES)
        .map(|number| format!("{{\"_id\": \"d{number}\", \"text\": \"{}\"}}\n", sentence(number, 60)))
        .collect();
    for subset in 0..SUBSETS {
        let name = format!("language{subset}");
        let _ = writeln!(card, "{name} = {{ languages = [\"ind-Latn\"] }}");
        let data = folder.join("data").join(&name);
        fs::create_dir_all(data.join("qrels"))?;
        let (mut queries, mut judgements) = (String::new(), "query-id\tcorpus-id\tscore\n".to_owned());
        for query in 0..QUERIES {
            let text = sentence(1000 * (subset as u64 + 1) + query, 12);
            let _ = writeln!(queries, "{{\"_id\": \"q{query}\", \"text\": \"{text}\"}}");
            let _ = writeln!(judgements, "q{query}\td{}\t1", query * PASSAGES / QUERIES);
        }
        fs::write(data.join("corpus.jsonl"), &passages)?;
        fs::write(data.join("queries.jsonl"), queries)?;
        fs::write(data.join("qrels/test.tsv"), judgements)?;
    }
    fs::create_dir_all(folder.join("cards"))?;
    fs::write(folder.join("cards/made.toml"), card)?;
    fs::write(folder.join("once.toml"), "schema = 1\nname = \"once\"\ncards = [\"cards\"]\n")
}

/// Words that look drawn, always the same ones for a number.
fn sentence(number: u64, words: u64) -> String {
    let word = |place: u64| {
        let mixed = (number * 1009 + place + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        WORDS[(mixed >> 40) as usize % WORDS.len()]
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}
