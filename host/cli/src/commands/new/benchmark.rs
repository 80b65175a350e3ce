//! `mteb-host new benchmark`: a folder for git with all that a benchmark needs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use mteb_tasks::{TaskType, facts};

use super::card_text::{CardText, dataset_cards, language_name, list, quote};
use super::names::{Names, read_name};
use super::question::choose_value;
use super::task::{check_languages, read_type, sample_card};
use super::template::{Files, check_printed, fill, samples};
use crate::commands::arguments::ValueError;
use crate::exit::Exit;
use crate::output::{self, usage};

const README: &str = include_str!("../../../templates/benchmark/README.md");
const REGISTRY: &str = include_str!("../../../templates/benchmark/registry.toml");
const CITATION: &str = include_str!("../../../templates/benchmark/CITATION.cff");
const CHANGES: &str = include_str!("../../../templates/benchmark/CHANGELOG.md");
const IGNORED: &str = include_str!("../../../templates/benchmark/gitignore.txt");
const GUIDELINE: &str = include_str!("../../../templates/benchmark/guideline.md");
const CHECK: &str = include_str!("../../../templates/benchmark/check.yml");
const PAGE: &str = include_str!("../../../templates/benchmark/page.yml");

/// Types of the tasks of a benchmark for which none are named.
const TYPES: [TaskType; 3] = [TaskType::Sts, TaskType::Classification, TaskType::Retrieval];

/// Models whose scores the cards expect.
const BASELINES: [&str; 2] = ["hashing", "random"];

/// Arguments of `new benchmark`.
#[derive(Args, Debug)]
pub struct BenchmarkArgs {
    /// Name of the benchmark, e.g. `desa`.
    name: String,
    /// What the benchmark measures, in one line.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Language and script of the texts, e.g. `ind-Latn`; may be repeated. Dataset cards are
    /// written in English and in the first of them.
    #[arg(long, value_name = "L")]
    language: Vec<String>,
    /// Type of a task to start with; may be repeated [default: STS, Classification, Retrieval].
    #[arg(long, value_name = "T")]
    task_type: Vec<String>,
    /// Licence of the data.
    #[arg(long, value_name = "L", default_value = "cc-by-4.0", value_parser = licence)]
    licence: String,
    /// Folder in which to create the benchmark's folder.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

impl BenchmarkArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Exit> {
        let names = read_name(&self.name).map_err(usage)?;
        let languages = if self.language.is_empty() {
            let answer =
                choose_value(None, "Language and script of the texts, e.g. ind-Latn", "--language L", None)?;
            answer.split([',', ' ']).filter(|one| !one.is_empty()).map(str::to_owned).collect()
        } else {
            self.language.clone()
        };
        check_languages(&languages)?;
        let title = format!("{}: text embeddings in {}", names.pascal, language_name(&languages[0]));
        let title =
            choose_value(self.title.clone(), "What it measures, in one line", "--title TEXT", Some(title))?;
        let mut types = self
            .task_type
            .iter()
            .map(|name| read_type("--task-type", name))
            .collect::<Result<Vec<_>, _>>()?;
        if types.is_empty() {
            types = TYPES.to_vec();
        }
        types.sort_unstable();
        types.dedup();
        let folder = self.output.join(&names.kebab);
        self.files(&names, &title, &languages, &types)?.write(&folder)?;
        let registry = format!("{}.toml", names.kebab);
        let is_scored = BASELINES.iter().all(|model| write_expected(&folder, &registry, model));
        if !is_scored {
            output::warn(format!(
                "the scores of the baselines are not in the cards yet; run in {}: mteb-host run --registry {registry} --write-expected",
                folder.display()
            ));
        }
        check_printed(output::print(&format!(
            "look at it: mteb-host report --registry {0}/{registry} --results {0}/results\nwhat to do next: {0}/README.md",
            folder.display()
        )))?;
        Ok(Exit::Done)
    }

    fn files(
        &self,
        names: &Names,
        title: &str,
        languages: &[String],
        types: &[TaskType],
    ) -> Result<Files, Exit> {
        let cards = types.iter().map(|task_type| self.card(names, *task_type, languages));
        let cards = cards.collect::<Result<Vec<CardText>, Exit>>()?;
        let tasks: Vec<String> = cards.iter().map(|card| card.name.clone()).collect();
        let description = format!("{}: {}.", output::count(tasks.len(), "task"), tasks.join(", "));
        let benchmark = format!("{}(v1)", names.pascal);
        let plain = title.replace(['"', '\\'], "'");
        let values = [
            ("kebab", names.kebab.as_str()),
            ("title", &plain),
            ("description", &description),
            ("benchmark", &benchmark),
            ("groups", &groups(&cards)),
            ("language_name", &language_name(&languages[0])),
            ("spdx", &self.licence.to_uppercase()),
            ("tasks", &tasks.join(", ")),
            ("bibtex", &bibtex(names, &plain)),
        ];
        let mut files = Files::default();
        for (path, template) in [
            ("README.md".to_owned(), README),
            (format!("{}.toml", names.kebab), REGISTRY),
            ("CITATION.cff".to_owned(), CITATION),
            ("CHANGELOG.md".to_owned(), CHANGES),
            (".gitignore".to_owned(), IGNORED),
            (".github/workflows/check.yml".to_owned(), CHECK),
            (".github/workflows/page.yml".to_owned(), PAGE),
        ] {
            files.add(path, fill(template, &values).trim_end().to_owned() + "\n");
        }
        let of_tasks: String = cards.iter().map(write_guideline).collect();
        let guideline = [
            ("title", plain.as_str()),
            ("kebab", &names.kebab),
            ("language_name", values[5].1),
            ("tasks", &of_tasks),
        ];
        files.add("docs/annotation-guideline.md", fill(GUIDELINE, &guideline));
        for card in &cards {
            files.add(format!("cards/{}.toml", card.name), card.toml());
            for (file, rows) in samples(card.task_type) {
                files.add(format!("data/{}/{file}", card.name), *rows);
            }
            for (file, text) in dataset_cards(names, card) {
                files.add(format!("datasets/{file}"), text);
            }
        }
        Ok(files)
    }

    fn card(&self, benchmark: &Names, task_type: TaskType, all: &[String]) -> Result<CardText, Exit> {
        let task = read_name(&format!("{}{}", benchmark.pascal, task_type.as_str())).map_err(usage)?;
        let mut languages = all.to_vec();
        if task_type == TaskType::BitextMining && languages.len() == 1 {
            languages.push("eng-Latn".to_owned());
        }
        let path = format!("../data/{}", task.given);
        let card = sample_card(
            &task,
            task_type,
            facts(task_type).about,
            &languages,
            Some(self.licence.clone()),
            path,
        );
        Ok(CardText { more: quality(task_type, &languages), ..card })
    }
}

/// How the benchmark is cited until its authors say it.
fn bibtex(names: &Names, title: &str) -> String {
    format!(
        "@misc{{{}, title = {{{{{title}}}}}, author = {{{{The authors of {}}}}}, note = {{Version 1.0.0}}}}",
        names.kebab, names.pascal
    )
}

/// The limits that the sample rows keep.
fn quality(task_type: TaskType, languages: &[String]) -> String {
    let records = samples(task_type).iter().map(|(file, rows)| {
        let header = usize::from(file.ends_with(".tsv"));
        let part = file.split('.').next().unwrap_or(file);
        format!("{part} = {}", rows.lines().count() - header)
    });
    let counted = ["train", "test", "corpus", "queries", "qrels"];
    let records: Vec<String> =
        records.filter(|one| counted.iter().any(|part| one.starts_with(part))).collect();
    let mut text = format!("\n[quality]\nrecords = {{ {} }}\n", records.join(", "));
    let is_english = languages.iter().all(|language| language.starts_with("eng"));
    let others: &[&str] = match task_type {
        // Each side is held to its own language.
        TaskType::BitextMining => &["eng", "fra"],
        _ if is_english => &[],
        _ => &["eng"],
    };
    let others: Vec<String> = others.iter().map(|code| (*code).to_owned()).collect();
    if !others.is_empty() {
        let _ = writeln!(
            text,
            "# For the sample rows, which are in English: remove this line together with them.\nother_languages = {}",
            list(&others)
        );
    }
    if task_type.is_ranking() && task_type != TaskType::InstructionReranking {
        text.push_str("top_grade = 2\nmin_grades = 2\n");
    }
    if task_type == TaskType::InstructionReranking {
        // Each topic is asked twice.
        text.push_str("may_repeat = [\"queries\", \"instruction\"]\n");
    }
    text
}

/// Groups with a mean of their own: tasks by what is put in.
fn groups(cards: &[CardText]) -> String {
    let label = |task_type: TaskType| match task_type {
        _ if task_type.is_ranking() => "search",
        TaskType::Sts | TaskType::PairClassification | TaskType::BitextMining => "pairs of texts",
        _ => "single texts",
    };
    let labels = ["pairs of texts", "single texts", "search"];
    let of = |wanted: &str| -> Vec<String> {
        let tasks = cards.iter().filter(|card| label(card.task_type) == wanted);
        tasks.map(|card| card.name.clone()).collect()
    };
    let mut text = String::new();
    for label in labels.iter().filter(|label| !of(label).is_empty()) {
        let _ = write!(
            text,
            "\n[[benchmark.group]]\ngrouping = \"Input\"\nlabel = {}\ntasks = {}\n",
            quote(label),
            list(&of(label))
        );
    }
    text
}

/// What the guideline says of a task.
fn write_guideline(card: &CardText) -> String {
    format!(
        "## {}\n\n{} The question to an annotator: …\n\n| label or score | meaning | two examples |\n|---|---|---|\n| … | … | (a) … (b) … |\n\nBorderline cases: …\n\n",
        card.name, card.description
    )
}

/// Scores a baseline and puts its scores into the cards; false if that failed.
fn write_expected(folder: &Path, registry: &str, model: &str) -> bool {
    let Ok(program) = std::env::current_exe() else { return false };
    let mut command = Command::new(program);
    command.current_dir(folder).args(["run", "--registry", registry, "--model", model]);
    // No lock: the sample rows are there to be replaced.
    command.args(["--write-expected", "--quiet", "--no-cache", "--outcomes"]);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn licence(text: &str) -> Result<String, ValueError> {
    if mteb_card::is_license(text) {
        return Ok(text.to_owned());
    }
    let near = mteb_base::suggest::hint(text, mteb_card::LICENSES.iter().copied(), "or a URL");
    Err(ValueError::Licence { near })
}
