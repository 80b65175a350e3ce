//! Progress bars on standard error.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::style::ProgressTracker;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use mteb_engine::Observer;
use mteb_engine::run::{TaskReport, UnitOutcome, UnitReport};
use mteb_hub::Report;
use mteb_models::encode::WorkerSpeeds;
use mteb_models::model::Listener;
use mteb_workers::settings::Printed;

use super::causes::AnnouncedLines;
use super::download::DownloadBar;
use super::estimate::{Work, rate, time_in_words};
use super::log_level::LogLevel;
use super::progress_lines::{ProgressLines, speeds_in_short};
use crate::output::{self, Screen};

/// A bar of the units of the run with the time that it may still take, and a line of its texts. Silent where nobody watches.
pub struct Progress {
    bars: MultiProgress,
    units: ProgressBar,
    texts: ProgressBar,
    workers: Mutex<Workers>,
    counts: Arc<Counts>,
    verbose: bool,
    announced: AnnouncedLines,
    lines: Option<ProgressLines>,
}

/// A line that says what begins.
pub struct Beginning(ProgressBar);

impl Drop for Beginning {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// The workers of the run, and the line that shows how fast each is where there are several.
#[derive(Default)]
struct Workers {
    speeds: Arc<WorkerSpeeds>,
    line: Option<ProgressBar>,
}

/// What the estimate goes by. It is asked for while a bar is drawn, when no bar can be asked for its own numbers.
#[derive(Default)]
struct Counts {
    /// Units of the run, those that are done, and those of them that have failed.
    units: AtomicU64,
    units_done: AtomicU64,
    units_failed: AtomicU64,
    /// Units whose texts are counted, and those texts.
    units_counted: AtomicU64,
    texts: AtomicU64,
    /// Units that were read and whose texts nobody can count, and those of all units that were read that are done.
    units_uncounted: AtomicU64,
    units_scored: AtomicU64,
    /// Texts whose embeddings are there.
    texts_done: AtomicU64,
}

impl Counts {
    fn work(&self) -> Work {
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let (units, units_done) = (of(&self.units), of(&self.units_done));
        let (units_counted, units_uncounted) = (of(&self.units_counted), of(&self.units_uncounted));
        // What was found as done nobody reads.
        let found = units_done.saturating_sub(of(&self.units_scored));
        Work {
            units,
            units_done,
            units_failed: of(&self.units_failed),
            units_unread: units.saturating_sub(found + units_counted + units_uncounted),
            units_counted,
            units_uncounted,
            texts: of(&self.texts),
            texts_done: of(&self.texts_done),
        }
    }
}

impl Progress {
    /// Bars on standard error; none if `quiet`, or if standard error is no terminal.
    pub fn new(quiet: bool, verbose: bool) -> Self {
        let target = if quiet || !std::io::stderr().is_terminal() {
            ProgressDrawTarget::hidden()
        } else {
            ProgressDrawTarget::term_like_with_hz(Box::new(Screen::default()), 20)
        };
        let bars = MultiProgress::with_draw_target(target);
        let texts = ProgressBar::new(0)
            .with_style(style("{bar:24} {pos}/{len} texts  {rate}  {msg}").with_key("rate", write_rate));
        let counts = Arc::new(Counts::default());
        let (left, failed) = (time_left(Arc::clone(&counts)), failed_units(Arc::clone(&counts)));
        let units = style("{bar:24} {pos}/{len} units{failed}  {elapsed}  {left}  {msg}");
        let units = units.with_key("left", left).with_key("failed", failed);
        let units = bars.add(ProgressBar::new(0).with_style(units));
        let texts = bars.add(texts);
        let workers = Mutex::default();
        Self {
            bars,
            units,
            texts,
            workers,
            counts,
            verbose,
            announced: AnnouncedLines::default(),
            lines: None,
        }
    }

    /// The same, which says lines in place of bars, if `is_wanted`, where the environment asks for them or standard error is a log.
    pub fn use_lines(self, is_wanted: bool) -> Self {
        let is_log = !std::io::stderr().is_terminal();
        Self { lines: is_wanted.then(|| ProgressLines::new(is_log)).flatten(), ..self }
    }

    /// Says that something begins before there are units to count; the line is there until the guard goes.
    pub fn begin(&self, what: &str) -> Beginning {
        if let Some(lines) = &self.lines {
            lines.begin(what);
        }
        let line = self.bars.add(ProgressBar::new_spinner().with_style(style("{msg}  {elapsed}")));
        line.set_message(output::visible(what).into_owned());
        line.enable_steady_tick(Duration::from_millis(200));
        Beginning(line)
    }

    /// The line of texts of a run: a bar of them would be one of the units that were read so far.
    fn texts_style(&self) -> ProgressStyle {
        let counts = Arc::clone(&self.counts);
        let counted = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            // What is not written is not shown.
            let _ = out.write_str(&counts.work().texts_in_words());
        };
        style("{texts}  {rate}  {msg}").with_key("texts", counted).with_key("rate", write_rate)
    }

    fn say_line(&self) {
        let Some(lines) = &self.lines else { return };
        let speeds = self.workers().speeds.now();
        lines.say(self.counts.work(), self.units.elapsed(), &self.units.message(), &speeds);
    }

    fn workers(&self) -> MutexGuard<'_, Workers> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says each line that a plugin prints and that is of this level or one above it, above the bars.
    pub fn relay_output(&self, level: LogLevel) -> Printed {
        let bars = self.bars.clone();
        Printed::new(move |plugin, line| {
            if LogLevel::read_from_line(line) > level {
                return;
            }
            bars.suspend(|| output::say(format!("{plugin} printed: {}", line.trim_end())));
        })
    }
}

impl Progress {
    /// A bar that counts bytes.
    pub fn download_bar(&self) -> ProgressBar {
        let bar = ProgressBar::new(0)
            .with_style(style("{bar:24} {bytes}/{total_bytes}  {bytes_per_sec}  {eta}  {msg}"));
        self.bars.add(bar)
    }

    /// So many pairs of a task are scored, of so many.
    pub fn pairs(&self, task: &str, done: u64, all: u64) {
        self.texts.set_length(all);
        self.texts.set_position(done);
        self.texts.set_message(output::visible(task).into_owned());
        if done == all {
            self.texts.finish_and_clear();
        }
    }

    /// A line of the result, above the bars.
    pub fn print(&self, line: &str) {
        self.bars.suspend(|| output::print(line));
    }
}

impl Listener for Progress {
    /// Is told of downloads, and shows a bar while there is one.
    fn downloads(&self) -> Arc<dyn Report + Send + Sync> {
        let bar =
            ProgressBar::new(0).with_style(style("{bar:24} {bytes}/{total_bytes}  {bytes_per_sec}  {msg}"));
        Arc::new(DownloadBar::new(self.bars.add(bar)))
    }

    /// A line above the bars.
    fn say(&self, line: &str) {
        self.bars.suspend(|| output::say(line));
    }

    fn warn(&self, message: &str) {
        self.bars.suspend(|| output::warn(message));
    }
}

impl Observer for Progress {
    /// These workers encode.
    fn workers(&self, speeds: Arc<WorkerSpeeds>) {
        let is_shown = speeds_in_short(&speeds.now()).is_some();
        let line = || self.bars.add(ProgressBar::new(0).with_style(style("texts by worker: {msg}")));
        *self.workers() = Workers { speeds, line: is_shown.then(line) };
    }

    /// A run over `units` units begins.
    fn begin_run(&self, units: usize) {
        self.counts.units.fetch_add(units as u64, Ordering::Relaxed);
        self.units.set_length(units as u64);
        self.units.reset_elapsed();
        self.texts.reset_elapsed();
        self.texts.set_style(self.texts_style());
        self.units.enable_steady_tick(Duration::from_millis(200));
    }

    /// A task begins.
    fn begin_task(&self, name: &str) {
        self.units.set_message(output::visible(name).into_owned());
    }

    /// A unit was read; `texts` is the number of its texts, if it is known.
    fn unit_read(&self, texts: Option<usize>) {
        let Some(texts) = texts else {
            self.counts.units_uncounted.fetch_add(1, Ordering::Relaxed);
            return;
        };
        self.counts.units_counted.fetch_add(1, Ordering::Relaxed);
        self.counts.texts.fetch_add(texts as u64, Ordering::Relaxed);
        self.texts.inc_length(texts as u64);
    }

    /// A unit is being scored.
    fn begin_unit(&self, task: &str, split: &str, subset: &str, texts: Option<usize>) {
        self.texts.set_message(output::visible(&format!("{split} {subset}")).into_owned());
        if self.verbose {
            let texts = texts
                .map_or_else(|| "a corpus of unknown size".to_owned(), |texts| output::count(texts, "text"));
            self.say(&format!("{task}, split {split}, subset {subset}: {texts}"));
        }
    }

    /// The embeddings of `count` more texts are there.
    fn texts(&self, count: u64) {
        self.counts.texts_done.fetch_add(count, Ordering::Relaxed);
        self.texts.inc(count);
        let position = self.texts.position();
        if self.texts.length().is_some_and(|length| length < position) {
            self.texts.set_length(position);
        }
        let workers = self.workers();
        if let Some((line, speeds)) = workers.line.as_ref().zip(speeds_in_short(&workers.speeds.now())) {
            line.set_message(speeds);
        }
        drop(workers);
        self.say_line();
    }

    /// The unit ends.
    fn end_unit(&self) {
        self.counts.units_scored.fetch_add(1, Ordering::Relaxed);
        self.texts.set_message("");
    }

    /// A unit is done: it was scored now or before, or has failed.
    fn unit_done(&self) {
        self.counts.units_done.fetch_add(1, Ordering::Relaxed);
        self.units.inc(1);
        self.say_line();
    }

    /// Counts a unit that has failed.
    fn unit_ended(&self, _task: &str, unit: &UnitReport) {
        if matches!(unit.outcome, UnitOutcome::Failed(_)) {
            self.counts.units_failed.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Says at once what failed of a task and what is odd about it; what was said before is not said again.
    fn end_task(&self, report: &TaskReport) {
        for line in self.announced.new_causes(report) {
            self.bars.suspend(|| output::failure(line));
        }
        for line in self.announced.new_warnings(report) {
            self.bars.suspend(|| output::warn(line));
        }
    }

    /// The run ends and the bars go.
    fn end_run(&self) {
        if let Some(line) = self.workers().line.take() {
            line.finish_and_clear();
        }
        self.texts.finish_and_clear();
        self.units.finish_and_clear();
    }
}

/// Writes the time that is left, as far as anybody can tell.
fn time_left(counts: Arc<Counts>) -> impl ProgressTracker {
    move |units: &ProgressState, out: &mut dyn std::fmt::Write| {
        // What is not written is not shown.
        let _ = out.write_str(&time_in_words(counts.work().time_left(units.elapsed())));
    }
}

/// Writes how many units have failed, if any.
fn failed_units(counts: Arc<Counts>) -> impl ProgressTracker {
    move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
        // What is not written is not shown.
        let _ = out.write_str(&counts.work().failed_in_words());
    }
}

/// Writes how many texts were encoded in a second.
fn write_rate(texts: &ProgressState, out: &mut dyn std::fmt::Write) {
    let Some(rate) = rate(texts.pos(), texts.elapsed()) else { return };
    let digits = usize::from(rate < 10.0);
    // What is not written is not shown.
    let _ = write!(out, "{rate:.digits$} texts/s");
}

/// The templates are part of the program, so the fallback is never seen.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
