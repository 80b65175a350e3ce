//! `mteb-host show benchmark`: what a benchmark holds, what it needs, and how long it takes.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use clap::Args;
use indicatif::{DecimalBytes, HumanCount, HumanDuration};
use mteb_card::Benchmark;
use mteb_registry::embedded::size;
use mteb_registry::{Filter, Selected, select};
use mteb_report::output::fields_grid;
use serde_json::{Value, json};

use crate::commands::arguments::{FilterArgs, FormatArgs, PlaceArgs};
use crate::commands::discover::discover;
use crate::commands::list::benchmarks::strip_script;
use crate::exit::Exit;
use crate::output;
use crate::view;

/// Texts a second that the time is said for, where none are named: of a small model on a processor, of one on an
/// accelerator.
const SPEEDS: [f64; 2] = [50.0, 2_000.0];

/// Arguments of `show benchmark`.
#[derive(Args, Debug)]
pub struct BenchmarkArgs {
    /// Name of the benchmark.
    name: String,
    /// Registry name or registry file [default: all known registries].
    #[arg(long, value_name = "NAME|FILE")]
    registry: Vec<String>,
    /// Speed of a model in texts per second, as a run reports it, to estimate the time of the
    /// benchmark.
    #[arg(long, value_name = "N")]
    texts_per_second: Option<f64>,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// What is known of how much the tasks hold.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    texts: u64,
    characters: u64,
    /// Tasks whose texts are known.
    tasks: usize,
    /// Those of them of which a part is taken.
    parts: usize,
}

impl Counted {
    /// Not every text is embedded; how many a part holds is a guess.
    fn bound(&self) -> &'static str {
        if self.parts > 0 { "about" } else { "at most" }
    }
}

/// What is known of a benchmark before it is run.
struct BenchmarkFacts<'a> {
    benchmark: &'a Benchmark,
    registry: &'a str,
    /// What the registry says of who wrote and judged its data.
    provenance: Option<&'a str>,
    tasks: Vec<Selected>,
}

impl BenchmarkArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The exit code, after the fault was said.
    pub fn show(&self) -> Result<Exit, Exit> {
        if self.texts_per_second.is_some_and(|speed| !(speed > 0.0 && speed.is_finite())) {
            return Err(output::usage("expected texts per second above 0 for `--texts-per-second`"));
        }
        let catalog = discover(&self.place.settings());
        let named = FilterArgs { registry: self.registry.clone(), ..FilterArgs::default() };
        let registries = named.whole_registries(&catalog)?;
        let filter = Filter { benchmark: Some(self.name.clone()), ..Filter::default() };
        let tasks = select(&registries, &filter).map_err(output::usage)?;
        let Some((benchmark, loaded)) = registries.benchmark(&self.name) else { return Err(Exit::Usage) };
        let facts = BenchmarkFacts {
            benchmark,
            registry: &loaded.registry.name,
            provenance: loaded.registry.provenance.as_deref(),
            tasks,
        };
        let speeds = self.texts_per_second.map_or_else(|| SPEEDS.to_vec(), |speed| vec![speed]);
        let printed = self.format.print(|| facts.json(&speeds), fields_grid);
        Ok(printed.unwrap_or_else(|| output::print(&facts.text(&speeds))))
    }
}

impl BenchmarkFacts<'_> {
    fn text(&self, speeds: &[f64]) -> String {
        let benchmark = self.benchmark;
        let mut lines = vec![output::wrap_prose(&format!("{}: {}", benchmark.name, benchmark.title))];
        let mut line = |what: &str, text: String| {
            if !text.is_empty() {
                lines.push(output::put_behind(&format!("  {what:<18}"), &text));
            }
        };
        line("provenance", self.provenance_line());
        line("registry", self.registry.to_owned());
        line("other names", benchmark.aliases.join(", "));
        line("replaced by", benchmark.superseded_by.join(", "));
        line("described at", benchmark.reference.clone().unwrap_or_default());
        let citation = benchmark.citation.as_deref().unwrap_or_default();
        line("citation", citation.split_whitespace().collect::<Vec<_>>().join(" "));
        line("means", join_words(&json!(benchmark.aggregations())));
        line("groups", groups(benchmark));
        line("languages shown", benchmark.language_view.join(", "));
        line("tasks", self.tasks_line());
        line("languages", self.languages().len().to_string());
        line("to download", self.download_line());
        for speed in speeds {
            line(&format!("at {speed} texts/s"), time(&self.size(), *speed));
        }
        let private = self.private().len();
        if private > 0 {
            line("private", format!("the data of {} is not public", output::count(private, "task")));
        }
        let missing = self.cannot_be_run();
        if !missing.is_empty() {
            line("cannot be run", output::count(missing.len(), "task"));
        }
        let tables = [
            self.table(),
            missing
                .iter()
                .map(|(name, why)| output::wrap_prose(&format!("  {name}: {why}")))
                .collect::<Vec<_>>()
                .join("\n"),
        ];
        tables
            .into_iter()
            .filter(|table| !table.is_empty())
            .for_each(|table| lines.push(format!("\n{table}")));
        lines.join("\n")
    }

    fn json(&self, speeds: &[f64]) -> Value {
        let size = self.size();
        let seconds: BTreeMap<String, f64> =
            speeds.iter().map(|speed| (speed.to_string(), size.texts as f64 / speed)).collect();
        json!({
            "benchmark": self.benchmark,
            "registry": self.registry,
            "provenance": self.provenance,
            "badges": self.badges(),
            "tasks": self.tasks.iter().map(|task| &task.entry.card.name).collect::<Vec<_>>(),
            "types": self.types(),
            "languages": self.languages(),
            "units": self.units(),
            "datasets": self.datasets(),
            "texts": size.texts,
            "characters": size.characters,
            "tasks_counted": size.tasks,
            "tasks_estimated": size.parts,
            "seconds_by_texts_per_second": seconds,
            "private": self.private(),
            "cannot_be_run": self.cannot_be_run().into_iter().collect::<BTreeMap<_, _>>(),
        })
    }

    /// How many tasks have each badge of what a language model did for them.
    fn badges(&self) -> BTreeMap<&'static str, usize> {
        let mut badges = BTreeMap::new();
        for badge in self.tasks.iter().filter_map(|task| task.entry.card.badge()) {
            *badges.entry(badge.as_str()).or_insert(0) += 1;
        }
        badges
    }

    fn provenance_line(&self) -> String {
        let all = self.tasks.len();
        let counted =
            self.badges().into_iter().map(|(badge, count)| format!("{badge}: {count} of {all} tasks"));
        let said = self.provenance.map(str::to_owned).filter(|_| !self.badges().is_empty());
        counted.chain(said).collect::<Vec<_>>().join("; ")
    }

    fn tasks_line(&self) -> String {
        let all = self.tasks.len() + self.benchmark.absent.len();
        format!("{all}, in {}", output::count(self.units(), "unit"))
    }

    fn units(&self) -> usize {
        self.tasks.iter().flat_map(Selected::with_data).map(|task| task.units().count()).sum()
    }

    fn types(&self) -> BTreeMap<&str, usize> {
        let mut types = BTreeMap::new();
        for task in &self.tasks {
            *types.entry(task.entry.card.task_type.as_str()).or_insert(0) += 1;
        }
        types
    }

    fn languages(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for task in &self.tasks {
            found.extend(task.languages().into_iter().map(strip_script).map(str::to_owned));
        }
        found
    }

    /// The datasets that are fetched, each once.
    fn datasets(&self) -> BTreeSet<String> {
        let members: Vec<Selected> = self.tasks.iter().flat_map(Selected::with_data).collect();
        members.iter().filter_map(|task| task.entry.card.dataset.fetched().map(str::to_owned)).collect()
    }

    /// The texts of all tasks. Counted are those of whole tasks; of a task of which some units are taken it is their share.
    fn size(&self) -> Counted {
        let mut all = Counted::default();
        for task in self.tasks.iter().flat_map(Selected::with_data) {
            let Some(size) = size(&task.entry.card.name) else { continue };
            let (taken, units) = (task.units().count() as u64, task.entry.card.units().count() as u64);
            let share = |whole: u64| (whole * taken).div_ceil(units.max(1));
            all.texts += share(size.texts);
            all.characters += share(size.characters);
            all.tasks += 1;
            all.parts += usize::from(taken < units);
        }
        all
    }

    fn download_line(&self) -> String {
        let (counted, datasets) = (self.size(), self.datasets().len());
        if datasets == 0 {
            return String::new();
        }
        let datasets = output::count(datasets, "dataset");
        let exact = "`mteb-host fetch --benchmark NAME --dry-run` asks the hub for exact sizes";
        if counted.tasks == 0 {
            return format!("{datasets}; {exact}");
        }
        let (texts, characters) = (HumanCount(counted.texts), DecimalBytes(counted.characters));
        let of = (counted.tasks < self.tasks.len())
            .then(|| format!("of {}", output::count(counted.tasks, "task")));
        let parts = (counted.parts > 0).then(|| {
            let some = output::count(counted.parts, "task");
            format!("for {some}, the share of the subsets used, assuming equal sizes")
        });
        let facts: Vec<String> = of.into_iter().chain(parts).collect();
        let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join("; ")) };
        format!("{datasets}: {} {texts} texts of {characters} unpacked{facts}; {exact}", counted.bound())
    }

    /// Tasks whose data only some may have.
    fn private(&self) -> Vec<&str> {
        let cards = self.tasks.iter().map(|task| &task.entry.card);
        cards.filter(|card| card.private).map(|card| card.name.as_str()).collect()
    }

    /// Tasks that the host cannot run, and why.
    fn cannot_be_run(&self) -> Vec<(&str, &str)> {
        let unsupported = self.tasks.iter().map(|task| &task.entry.card);
        let unsupported =
            unsupported.filter_map(|card| Some((card.name.as_str(), card.unsupported.as_deref()?)));
        let absent = self
            .benchmark
            .absent
            .iter()
            .map(|name| (name.as_str(), "no card describes the part that the benchmark uses"));
        unsupported.chain(absent).collect()
    }

    fn table(&self) -> String {
        let mut table = view::table(["type", "tasks"]);
        for (task_type, count) in self.types() {
            table.add_row(vec![task_type.into(), view::right(count)]);
        }
        view::text(table)
    }
}

/// The groups of tasks by what they are grouped by: `Context Length (256, 512), Domain (Law)`.
fn groups(benchmark: &Benchmark) -> String {
    let mut groupings: Vec<(&str, Vec<&str>)> = Vec::new();
    for group in &benchmark.groups {
        match groupings.iter_mut().find(|(grouping, _)| *grouping == group.grouping) {
            Some((_, labels)) => labels.push(&group.label),
            None => groupings.push((&group.grouping, vec![&group.label])),
        }
    }
    let shown = groupings.iter().map(|(grouping, labels)| format!("{grouping} ({})", labels.join(", ")));
    shown.collect::<Vec<_>>().join(", ")
}

/// The words of a list of words.
fn join_words(words: &Value) -> String {
    let words = words.as_array().into_iter().flatten().filter_map(Value::as_str);
    words.map(|word| word.replace('_', " ")).collect::<Vec<_>>().join(", ")
}

fn time(counted: &Counted, speed: f64) -> String {
    if counted.texts == 0 {
        return String::new();
    }
    // The speed is one of somebody's result file.
    match Duration::try_from_secs_f64(counted.texts as f64 / speed) {
        Ok(time) => format!("{} {} for the embeddings", counted.bound(), HumanDuration(time)),
        Err(_) => String::new(),
    }
}
