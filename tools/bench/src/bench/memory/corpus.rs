//! A retrieval task of made documents, always the same ones, written without ever holding the corpus.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use mteb_measures::random::SplitMix64;

/// Words that the documents are made of; frequent ones first, as in a language.
const VOCABULARY: u64 = 50_000;

const REGISTRY: &str = "schema = 1\nname = \"memory\"\ncards = [\"cards\"]\n";

const CARD: &str = "\
schema = 1
name = \"MadeRetrieval\"
type = \"Retrieval\"
description = \"Made for the benchmark of memory.\"
languages = [\"ind-Latn\"]

[dataset]
path = \"../data\"
";

/// Writes the task with as many documents and queries into `folder`; gives the bytes of the documents' texts. A query
/// consists of words of the one document that is relevant.
pub fn write(folder: &Path, documents: usize, wanted: usize) -> io::Result<u64> {
    let (cards, data) = (folder.join("cards"), folder.join("data"));
    fs::create_dir_all(&cards)?;
    fs::create_dir_all(data.join("qrels"))?;
    fs::write(folder.join("memory.toml"), REGISTRY)?;
    fs::write(cards.join("made.toml"), CARD)?;
    let mut corpus =
        GzEncoder::new(BufWriter::new(File::create(data.join("corpus.jsonl.gz"))?), Compression::fast());
    let mut queries = BufWriter::new(File::create(data.join("queries.jsonl"))?);
    let mut qrels = BufWriter::new(File::create(data.join("qrels/test.tsv"))?);
    writeln!(qrels, "query-id\tcorpus-id\tscore")?;
    let (mut text_bytes, mut asked) = (0, 0);
    for number in 0..documents {
        let mut random = SplitMix64::new(number as u64);
        let count = 30 + random.below(40);
        let words: Vec<String> = (0..count).map(|_| word(rank(&mut random))).collect();
        let text = words.join(" ");
        text_bytes += text.len() as u64;
        writeln!(corpus, r#"{{"_id": "doc-{number}", "title": "{} {number}", "text": "{text}"}}"#, words[0])?;
        while asked < wanted && number == asked * documents / wanted {
            let query: Vec<&str> = words.iter().step_by(4).map(String::as_str).collect();
            writeln!(queries, r#"{{"_id": "q{asked}", "text": "{}"}}"#, query.join(" "))?;
            writeln!(qrels, "q{asked}\tdoc-{number}\t1")?;
            asked += 1;
        }
    }
    corpus.finish()?.flush()?;
    queries.flush()?;
    qrels.flush()?;
    Ok(text_bytes)
}

/// Two or three syllables.
fn word(mut rank: u64) -> String {
    const SYLLABLES: [&str; 40] = [
        "ba", "be", "bi", "da", "di", "du", "ga", "ha", "hi", "ja", "ka", "ki", "ku", "la", "li", "lu", "ma",
        "me", "mi", "na", "ni", "nu", "pa", "pe", "pu", "ra", "ri", "ru", "sa", "se", "si", "su", "ta", "ti",
        "tu", "wa", "ya", "kan", "nya", "ngan",
    ];
    let mut word = String::new();
    for _ in 0..3 {
        word += SYLLABLES[(rank % 40) as usize];
        rank /= 40;
    }
    word
}

/// The rank of a word: the smaller, the more often, about as Zipf's law says.
fn rank(random: &mut SplitMix64) -> u64 {
    let share = random.below(1 << 20) as f64 / f64::from(1 << 20);
    (VOCABULARY as f64).powf(share) as u64
}
