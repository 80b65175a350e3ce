//! `mteb-host report`: a page of all results, one for each benchmark, with maps of the texts of
//! tasks.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};
use mteb_base::suggest::some;
use mteb_models::model::ModelChoice;
use mteb_report::outcomes::add_item_statistics;
use mteb_report::output::nobody_line;
use mteb_report::page::{ENGLISH, Graded, PageLanguages, PageParts, Samples, TextMap, page};
use mteb_report::table::Board;
use mteb_source::DataSources;

use super::arguments::{BoardArgs, FilterArgs, parse_whole, start_encoder};
use super::discover::{discover, say_refusals};
use super::figure::{MethodName, TEXTS, encode_texts};
use super::selected::check_locks;
use crate::exit::Exit;
use crate::output::{self, failed, write_file};
use crate::view::{SampleReader, Scores, may_show_texts, read_graded_view, read_page_languages, state_of};

/// Arguments of `report`.
#[derive(Debug)]
pub struct ReportArgs {
    options: Options,
    /// The benchmarks that were named, in this order.
    benchmarks: Vec<String>,
}

/// The options, of which `--benchmark` is the first that was given.
#[derive(Args, Debug)]
struct Options {
    /// Folder written by `graded`; adds a view of graded relevance to the page.
    #[arg(long, value_name = "DIR")]
    graded: Option<PathBuf>,
    /// Folder for the pages, or the file of a single page (`page.html`); existing files with the
    /// same names are overwritten.
    #[arg(long, value_name = "DIR|FILE.html", default_value = "report")]
    output: PathBuf,
    /// Keep running and rewrite the page whenever results change, e.g. during a long run; stop with
    /// Ctrl-C.
    #[arg(long)]
    watch: bool,
    /// Language in which the page opens: `en`, `id`, or one that a registry provides as
    /// `page/CODE.toml`; the reader can switch.
    #[arg(long, value_name = "CODE", default_value = ENGLISH)]
    page_language: String,
    /// Number of samples to show for each task, from data on this machine whose licence allows
    /// anyone to show them; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = parse_whole::<u32>(0, Some(20)))]
    samples: u32,
    #[command(flatten)]
    map: MapArgs,
    #[command(flatten)]
    board: BoardArgs,
}

impl Args for ReportArgs {
    fn augment_args(command: Command) -> Command {
        // Elsewhere there is one benchmark.
        Options::augment_args(command).mut_arg(BENCHMARK, |argument| {
            argument.action(ArgAction::Append).help(
                "Benchmark, as listed by `mteb-host list benchmarks`; may be repeated, for one page each",
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReportArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = matches.get_many::<String>(BENCHMARK).into_iter().flatten();
        let mut benchmarks: Vec<String> = Vec::new();
        for benchmark in given {
            if !benchmarks.contains(benchmark) {
                benchmarks.push(benchmark.clone());
            }
        }
        Ok(Self { benchmarks, options: Options::from_arg_matches(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Between two looks at the folders of results.
const PAUSE: Duration = Duration::from_secs(2);

/// The option of the benchmarks.
const BENCHMARK: &str = "benchmark";

impl ReportArgs {
    /// Runs the command.
    pub fn run(self) -> Exit {
        let Self { options, benchmarks } = self;
        let graded = match options.read_graded() {
            Ok(graded) => graded,
            Err(exit) => return exit,
        };
        if options.file().is_some() && benchmarks.len() > 1 {
            return output::usage(format!(
                "--output {}: expected a folder for {} pages, found the name of a file",
                options.output.display(),
                benchmarks.len()
            ));
        }
        let maps = match options.map.maps(&options.board) {
            Ok(maps) => maps,
            Err(exit) => return exit,
        };
        let made = Made { graded, maps, samples: RefCell::new(options.sample_reader()) };
        let write = || options.write(&benchmarks, &made);
        if options.watch { keep_writing(&options.board.results, write) } else { write() }
    }
}

/// Writes, and writes again when results have changed, until Ctrl-C.
fn keep_writing(folders: &[PathBuf], write: impl Fn() -> Exit) -> Exit {
    let mut written = None;
    loop {
        let now = state_of(folders);
        if written != Some(now) {
            // What is wrong now may be right when more has come: a fault ends nothing.
            write();
            written = Some(now);
        }
        std::thread::sleep(PAUSE);
    }
}

/// What is made once for all pages, however often they are written.
struct Made {
    graded: Option<Graded>,
    maps: Vec<TextMap>,
    samples: RefCell<Option<SampleReader>>,
}

impl Options {
    /// Writes the page of each benchmark.
    fn write(&self, benchmarks: &[String], made: &Made) -> Exit {
        let mut pages = Pages { options: self, made, written: BTreeSet::new() };
        if benchmarks.len() < 2 {
            return match pages.read(&self.board) {
                Ok(read) => pages.write(&read, &[]),
                Err(exit) => exit,
            };
        }
        let (mut all, mut exit) = (Vec::new(), Exit::Done);
        for benchmark in benchmarks {
            let mut board = self.board.clone();
            board.filter.benchmark = Some(benchmark.clone());
            // What went wrong with one page keeps no other from being written.
            match pages.read(&board) {
                Ok(read) => all.push(read),
                Err(fault) => exit = pick_fault(exit, fault),
            }
        }
        let files: Vec<(String, String)> =
            all.iter().map(|read| (read.board.name.clone(), read.file.clone())).collect();
        for read in &all {
            let others: Vec<(String, String)> =
                files.iter().filter(|(_, file)| *file != read.file).cloned().collect();
            exit = pick_fault(exit, pages.write(read, &others));
        }
        exit
    }

    /// The file of a single page, if one was named.
    fn file(&self) -> Option<&Path> {
        let ending = self.output.extension()?.to_str()?;
        let is_page = matches!(ending.to_ascii_lowercase().as_str(), "html" | "htm");
        (is_page && !self.output.is_dir()).then_some(self.output.as_path())
    }

    fn read_graded(&self) -> Result<Option<Graded>, Exit> {
        let Some(folder) = &self.graded else { return Ok(None) };
        // A task may be named with subsets.
        let names = self.board.filter.task.iter();
        let tasks: Vec<String> =
            names.map(|name| name.split(':').next().unwrap_or(name).to_owned()).collect();
        match read_graded_view(folder, &tasks) {
            Ok((graded, warnings)) => {
                warnings.iter().for_each(output::warn);
                Ok(Some(graded))
            }
            Err(error) => Err(output::usage(error)),
        }
    }

    /// What reads samples, unless none are wanted.
    fn sample_reader(&self) -> Option<SampleReader> {
        let settings = self.board.place.settings();
        let catalog = (self.samples > 0).then(|| discover(&settings))?;
        Some(SampleReader::new(self.samples as usize, settings, &catalog))
    }

    /// The languages of a page; refuses to open it in one that it lacks.
    fn languages(&self, scores: &Scores) -> Result<PageLanguages, Exit> {
        let (languages, faults) = read_page_languages(&scores.page_languages);
        faults.iter().for_each(output::warn);
        if languages.codes().contains(&self.page_language.as_str()) {
            return Ok(languages);
        }
        Err(output::usage(format!(
            "--page-language: expected one of {}, found: {}; a registry provides others as `page/CODE.toml` next to it",
            some(languages.codes()),
            self.page_language
        )))
    }
}

/// The first of two that is a fault.
fn pick_fault(first: Exit, second: Exit) -> Exit {
    if first == Exit::Done { second } else { first }
}

/// A page that is to be written.
struct ReadPage {
    board: Board,
    parts: PageParts,
    /// Its file, in the folder of the pages.
    file: String,
}

/// The pages of one command.
struct Pages<'a> {
    options: &'a Options,
    made: &'a Made,
    /// Names of the files without their ending, in small letters: some file systems tell no others apart.
    written: BTreeSet<String>,
}

impl Pages<'_> {
    /// Reads the page of one benchmark, or of what else was asked for.
    fn read(&mut self, args: &BoardArgs) -> Result<ReadPage, Exit> {
        let scores = args.read_with_means()?;
        let mut board = scores.board();
        add_item_statistics(&mut board);
        BoardArgs::warn(&board);
        scores
            .whose_means()
            .iter()
            .chain(&nobody_line(&board))
            .filter(|_| !board.is_empty())
            .for_each(output::warn);
        if board.is_empty() {
            return Err(args.report_no_results(!board.warnings.is_empty()));
        }
        let name = if board.name.is_empty() { "report" } else { &board.name };
        // A part of a benchmark does not take the place of the benchmark.
        let is_part = board.part.as_ref().is_some_and(|part| part.is_narrowed);
        let file = self.file(&if is_part { format!("{name} part") } else { name.to_owned() });
        let parts = PageParts {
            graded: self.made.graded.clone(),
            samples: self.samples(&board, &scores),
            maps: self.maps(&board),
            languages: self.options.languages(&scores)?,
            others: Vec::new(),
        };
        Ok(ReadPage { board, parts, file })
    }

    /// Writes a page with links to the `others`, and says its file.
    fn write(&self, read: &ReadPage, others: &[(String, String)]) -> Exit {
        let parts = PageParts { others: others.to_vec(), ..read.parts.clone() };
        let html = page(&read.board, &parts, &self.options.page_language);
        let path = self.options.file().map_or_else(|| self.options.output.join(&read.file), Path::to_owned);
        write(&path, &html)
    }

    /// Samples of the tasks that have a card.
    fn samples(&self, board: &Board, scores: &Scores) -> Samples {
        let mut samples = Samples::default();
        let mut reader = self.made.samples.borrow_mut();
        for column in &board.columns {
            if let (Some(reader), Some(task)) = (&mut *reader, scores.task(&column.task.name)) {
                samples.add(&column.task.name, reader.read_samples(task));
            }
        }
        samples
    }

    /// The maps of tasks that are on the page.
    fn maps(&self, board: &Board) -> Vec<TextMap> {
        let is_there = |map: &&TextMap| board.columns.iter().any(|column| column.task.name == map.task());
        self.made.maps.iter().filter(is_there).cloned().collect()
    }

    /// The file of a page: that of its name, with a number where another page of this command has it.
    fn file(&mut self, name: &str) -> String {
        let stem = file_name(name);
        let numbered = (2..).map(|number| format!("{stem}-{number}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        let free = names.find(|stem| !self.written.contains(&stem.to_ascii_lowercase())).unwrap_or(stem);
        self.written.insert(free.to_ascii_lowercase());
        format!("{free}.html")
    }
}

fn write(path: &Path, html: &str) -> Exit {
    match write_file(path, html.as_bytes()) {
        Ok(()) => output::print(&path.display().to_string()),
        Err(error) => output::failed(error),
    }
}

/// A name as a file name: letters, digits, `-`, `_` and full stops.
fn file_name(name: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    let name: String =
        name.chars().map(|character| if is_plain(character) { character } else { '-' }).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    let name = parts.join("-");
    if name.trim_matches('.').is_empty() { "report".to_owned() } else { name.chars().take(120).collect() }
}

/// Which maps a page has.
#[derive(Args, Debug)]
struct MapArgs {
    /// Add a view with 1,000 texts of this task in two dimensions, coloured by label; may be
    /// repeated. Needs its data.
    #[arg(long, value_name = "TASK", requires = "map_model")]
    map: Vec<String>,
    /// Model that encodes the texts of `--map`.
    #[arg(long, value_name = "NAME", requires = "map")]
    map_model: Option<String>,
    /// Dimensionality reduction for `--map`.
    #[arg(long, value_enum, default_value_t = MethodName::Pca)]
    map_method: MethodName,
}

impl MapArgs {
    /// The maps of the tasks that were named, from the registries of `board`.
    ///
    /// # Errors
    /// The exit code, after the fault was said.
    pub fn maps(&self, board: &BoardArgs) -> Result<Vec<TextMap>, Exit> {
        let Some(model) = &self.map_model else { return Ok(Vec::new()) };
        let settings = board.place.settings();
        let catalog = discover(&settings);
        say_refusals(&catalog);
        let filter = FilterArgs {
            registry: board.filter.registry.clone(),
            task: self.map.clone(),
            ..FilterArgs::default()
        };
        let tasks = filter.select(&filter.registries(&catalog)?)?;
        check_locks(&tasks, None)?;
        let mut client = start_encoder(&ModelChoice::new(model), &catalog, &settings)?;
        let name = client.info().identity.name.clone();
        let mut sources = DataSources::new(settings, &catalog);
        let mut maps = Vec::new();
        for task in &tasks {
            let card = &task.entry.card.name;
            let texts = encode_texts(task, &mut client, &mut sources, TEXTS).map_err(failed)?;
            let map = TextMap::new((card, &name), &texts, self.map_method.method(), may_show_texts(task));
            maps.push(map.map_err(|error| failed(format!("{card}: {error}")))?);
        }
        Ok(maps)
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn a_name_of_a_benchmark_becomes_a_file_and_never_leaves_the_folder() {
        assert_eq!(file_name("MTEB(eng, v1)"), "MTEB-eng-v1");
        assert_eq!(file_name("../../etc/passwd"), "..-..-etc-passwd");
        assert_eq!((file_name("..").as_str(), file_name("//").as_str()), ("report", "report"));
    }
}
