//! Texts that an endpoint does not take: cut or replaced only where the card says so, and then named in the result.

use std::fs;
use std::path::Path;

use mteb_host_tests::{Misdeed, Run, host};

use super::{endpoint, result_file, scores};

const LONG: &str = "kata yang panjang ";

/// A task whose texts are empty, short and long.
fn write_task(folder: &Path) {
    let mut rows = String::from("sentence1,sentence2,score\n");
    for number in 0..20 {
        rows.push_str(&format!("hujan turun {number},hari cerah {},{}\n", number % 7, number % 5));
    }
    rows.push_str(&format!("\"\",{},3\n", LONG.repeat(40)));
    fs::write(folder.join("pairs.csv"), rows).unwrap();
    let card = "schema = 1\nname = \"Odd\"\ntype = \"STS\"\ndescription = \"Odd texts.\"\nlanguages = [\"ind-Latn\"]\n\
                [dataset]\npath = \"pairs.csv\"\n";
    fs::write(folder.join("odd.toml"), card).unwrap();
}

/// The card of the model, which says `more` of its endpoint.
fn write_model(folder: &Path, style: &str, address: &str, more: &str) {
    let models = folder.join("data/registries/models");
    fs::create_dir_all(&models).unwrap();
    let card = format!(
        "schema = 1\nname = \"maker/model\"\n[api]\nstyle = \"{style}\"\nmodel = \"m\"\nurl = \"{address}\"\n{more}"
    );
    fs::write(models.join("maker__model.toml"), card).unwrap();
}

fn run_odd(folder: &Path, address: &str, more: &str) -> Run {
    run_odd_with(folder, address, more, &[])
}

fn run_odd_with(folder: &Path, address: &str, more: &str, options: &[&str]) -> Run {
    write_task(folder);
    write_model(folder, "tei", address, more);
    let asked = ["run", "--registry", "odd.toml", "--json", "--model", "maker/model"];
    Run::of(host(folder).args(asked).args(options)).unwrap()
}

#[test]
fn a_refused_text_fails_its_unit_and_is_named() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    let run = run_odd(folder.path(), &endpoint.address, "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let named = run.stderr.contains("the text: \"\"") || run.stderr.contains("the text: \"kata yang panjang");
    assert!(run.stderr.contains("refused with status 400") && named, "{}", run.stderr);
}

#[test]
fn what_a_card_has_changed_in_texts_is_named_in_the_result() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    scores(&run_odd(folder.path(), &endpoint.address, "empty_text = \"space\"\nlong_text = \"cut\"\n"));
    let units = &result_file(folder.path(), "Odd")["mteb_host"]["units"];
    let notes = units.as_object().unwrap().values().next().unwrap()["default"]["notes"].to_string();
    assert!(notes.contains("1 empty text was sent as one space"), "{units}");
    assert!(notes.contains("texts truncated, because the endpoint refused them as too long: 1;"), "{units}");
    let model = &result_file(folder.path(), "Odd")["mteb_host"]["model"]["endpoint"];
    let named = ["empty_text", "long_text", "truncation"].map(|name| model[name].as_str().unwrap());
    assert_eq!(named, ["space", "cut", "provider"], "{model}");
}

#[test]
fn an_empty_text_gets_zeros_where_the_card_says_so() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    scores(&run_odd(folder.path(), &endpoint.address, "empty_text = \"zeros\"\nlong_text = \"cut\"\n"));
    let result = &result_file(folder.path(), "Odd")["mteb_host"];
    assert_eq!(result["model"]["endpoint"]["empty_text"], "zeros", "{result}");
    assert!(result["units"].to_string().contains("1 empty text was given rows of zeros"), "{result}");
}

#[test]
fn each_unit_counts_its_own_empty_texts_whoever_encoded_them() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    let folder = folder.path();
    let more = "empty_text = \"space\"\nlong_text = \"cut\"\n";
    scores(&run_odd(folder, &endpoint.address, more));
    for (subset, empty) in [("ind", "\"\",a,1\n\"\",b,2\n"), ("jav", "\"\",c,1\n")] {
        fs::create_dir_all(folder.join("two").join(subset)).unwrap();
        let rows = format!("sentence1,sentence2,score\nsatu,dua,3\ndua,tiga {subset},0\n{empty}");
        fs::write(folder.join("two").join(subset).join("test.csv"), rows).unwrap();
    }
    let card = "schema = 1\nname = \"Two\"\ntype = \"STS\"\ndescription = \"d\"\n[dataset]\npath = \"two\"\n\
                [subsets]\nind = { languages = [\"ind-Latn\"] }\njav = { languages = [\"jav-Latn\"] }\n";
    fs::write(folder.join("two.toml"), card).unwrap();
    let run =
        Run::of(host(folder).args(["run", "--registry", "two.toml", "--json", "--model", "maker/model"]));
    let run = run.unwrap();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let units = &result_file(folder, "Two")["mteb_host"]["units"]["test"];
    let said = ["ind", "jav"].map(|subset| units[subset]["notes"][0].as_str().unwrap().to_owned());
    assert!(said[0].starts_with("2 empty texts were sent as one space"), "{units}");
    assert!(said[1].starts_with("1 empty text was sent as one space"), "{units}");
}

#[test]
fn a_refused_empty_text_names_what_to_say_in_the_card() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    let run = run_odd(folder.path(), &endpoint.address, "long_text = \"cut\"\n");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(
        run.stderr.contains("the text: \"\"; it is empty: set `empty_text = \"zeros\"`"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_missing_row_where_texts_are_empty_names_what_to_say_in_the_card() {
    let (endpoint, folder) = (endpoint(Misdeed::FewerRows, 1), tempfile::tempdir().unwrap());
    let run = run_odd(folder.path(), &endpoint.address, "dimensions = 1024\n");
    let named = run.stderr.contains("some texts of the request are empty: set `empty_text = \"zeros\"`");
    assert!(named && run.stderr.contains("or `empty_text = \"space\"`"), "{}", run.stderr);
    let run = run_odd(folder.path(), &endpoint.address, "dimensions = 1024\nempty_text = \"space\"\n");
    assert!(run.stderr.contains("set `empty_text = \"zeros\"`"), "{}", run.stderr);
    assert!(!run.stderr.contains("`empty_text = \"space\"`"), "it is set already: {}", run.stderr);
}

#[test]
fn a_card_that_takes_cut_texts_no_more_gets_none_of_their_rows() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    scores(&run_odd(folder.path(), &endpoint.address, "empty_text = \"space\"\nlong_text = \"cut\"\n"));
    let run = run_odd(folder.path(), &endpoint.address, "empty_text = \"space\"\n");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("the text: \"kata yang panjang"), "{}", run.stderr);
}

#[test]
fn an_option_of_the_command_line_truncates_long_texts_as_the_card_does() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    let (folder, more) = (folder.path(), "empty_text = \"space\"\n");
    let refused = run_odd(folder, &endpoint.address, more);
    assert!(refused.stderr.contains("where it is too long, `--long-text cut`"), "{}", refused.stderr);
    scores(&run_odd_with(folder, &endpoint.address, more, &["--long-text", "cut"]));
    assert_eq!(result_file(folder, "Odd")["mteb_host"]["model"]["endpoint"]["long_text"], "cut");
    let more = format!("{more}long_text = \"cut\"\n");
    let options = ["--long-text", "refuse", "--overwrite", "always", "--no-cache"];
    let refused = run_odd_with(folder, &endpoint.address, &more, &options);
    assert_eq!(refused.code, Some(1), "{}", refused.stderr);
}

/// Reranks documents of which one is empty; the card says `more`.
fn rerank_odd(folder: &Path, address: &str, more: &str) -> Run {
    let data = folder.join("ranked");
    fs::create_dir_all(&data).unwrap();
    let corpus = "{\"_id\": \"a\", \"text\": \"hujan turun\"}\n{\"_id\": \"b\", \"text\": \"\"}\n";
    fs::write(data.join("corpus.jsonl"), corpus).unwrap();
    fs::write(data.join("queries.jsonl"), "{\"_id\": \"q\", \"text\": \"hujan\"}\n").unwrap();
    fs::write(data.join("qrels.tsv"), "query-id\tcorpus-id\tscore\nq\ta\t1\n").unwrap();
    fs::write(data.join("top_ranked.jsonl"), "{\"query-id\": \"q\", \"corpus-ids\": [\"a\", \"b\"]}\n")
        .unwrap();
    let card = "schema = 1\nname = \"Ranked\"\ntype = \"Reranking\"\ndescription = \"d\"\n\
                languages = [\"ind-Latn\"]\n[dataset]\npath = \"ranked\"\n";
    fs::write(folder.join("ranked.toml"), card).unwrap();
    write_model(folder, "openai", address, more);
    let asked = ["run", "--registry", "ranked.toml", "--json", "--model", "maker/model", "--reranker"];
    Run::of(host(folder).args(asked)).unwrap()
}

#[test]
fn an_empty_document_of_a_reranker_is_named_or_replaced_as_the_card_says() {
    let (endpoint, folder) = (endpoint(Misdeed::Picky, 1), tempfile::tempdir().unwrap());
    let address = format!("{}/v1", endpoint.address);
    let refused = rerank_odd(folder.path(), &address, "");
    let named = "document 2 of the query \"hujan\" is empty: set `empty_text = \"space\"`";
    assert!(refused.code == Some(1) && refused.stderr.contains(named), "{}", refused.stderr);
    let zeros = rerank_odd(folder.path(), &address, "empty_text = \"zeros\"\n");
    let named = "`empty_text`: expected `send` or `space`, because a reranker has no rows, found: zeros";
    assert!(zeros.code != Some(0) && zeros.stderr.contains(named), "{}", zeros.stderr);
    scores(&rerank_odd(folder.path(), &address, "empty_text = \"space\"\n"));
    let result = &result_file(folder.path(), "Ranked")["mteb_host"];
    assert!(result["units"].to_string().contains("1 empty text was sent as one space"), "{result}");
}
