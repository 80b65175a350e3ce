//! A search task like Belebele: many languages ask about the same passages.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use mteb_measures::random::SplitMix64;

/// Subsets, as Belebele has languages.
const SUBSETS: usize = 122;

const WORDS: [&str; 24] = [
    "warga", "desa", "pasar", "harga", "beras", "hutan", "sungai", "kota", "sekolah", "guru", "anak",
    "jalan", "rumah", "hujan", "panen", "kapal", "nelayan", "pulau", "gunung", "kabar", "hari", "malam",
    "orang", "tahun",
];

/// Writes the registry `once.toml` and the task, with as many passages and as many queries a subset, into `folder`.
pub fn write(folder: &Path, task: &str, passages: u64, queries: u64) -> io::Result<()> {
    let mut card = format!(
        "schema = 1\nname = \"{task}\"\ntype = \"Retrieval\"\ndescription = \"Made for the benchmark.\"\n\
         eval_splits = [\"test\"]\n\n[dataset]\npath = \"../{task}\"\n\n[subsets]\n"
    );
    let corpus: String = (0..passages)
        .map(|number| format!("{{\"_id\": \"d{number}\", \"text\": \"{}\"}}\n", sentence(number, 60)))
        .collect();
    for subset in 0..SUBSETS {
        let name = format!("language{subset}");
        let _ = writeln!(card, "{name} = {{ languages = [\"ind-Latn\"] }}");
        let (mut asked, mut judgements) = (String::new(), "query-id\tcorpus-id\tscore\n".to_owned());
        for query in 0..queries {
            let text = sentence(1000 * (subset as u64 + 1) + query, 12);
            let _ = writeln!(asked, "{{\"_id\": \"q{query}\", \"text\": \"{text}\"}}");
            let _ = writeln!(judgements, "q{query}\td{}\t1", query * passages / queries);
        }
        for (part, file, rows) in [
            ("corpus", "test.jsonl", &corpus),
            ("queries", "test.jsonl", &asked),
            ("qrels", "test.tsv", &judgements),
        ] {
            let place = folder.join(task).join(format!("{name}-{part}"));
            fs::create_dir_all(&place)?;
            fs::write(place.join(file), rows)?;
        }
    }
    fs::create_dir_all(folder.join("cards"))?;
    fs::write(folder.join("cards").join(format!("{task}.toml")), card)?;
    fs::write(folder.join("once.toml"), "schema = 1\nname = \"once\"\ncards = [\"cards\"]\n")
}

/// Words that look drawn, always the same ones for a number.
fn sentence(number: u64, words: u64) -> String {
    let word = |place: u64| *SplitMix64::spread(number * 1009 + place).pick(&WORDS);
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}
