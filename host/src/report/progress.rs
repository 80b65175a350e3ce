//! Progress bars on standard error.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use mteb_hub::Report;

use super::causes::Causes;
use super::download::DownloadBar;
use crate::output::{self, Screen};
use crate::run::TaskReport;

/// Two bars: tasks of the run, and texts of the units that were read so far. Silent where nobody watches.
pub struct Progress {
    bars: MultiProgress,
    tasks: ProgressBar,
    texts: ProgressBar,
    verbose: bool,
    causes: Causes,
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
        let tasks =
            bars.add(ProgressBar::new(0).with_style(style("{bar:24} {pos}/{len} tasks  {elapsed}  {msg}")));
        let texts =
            bars.add(ProgressBar::new(0).with_style(style("{bar:24} {pos}/{len} texts  {per_sec}  {msg}")));
        Self { bars, tasks, texts, verbose, causes: Causes::default() }
    }

    /// Is told of downloads, and shows a bar while there is one.
    pub fn downloads(&self) -> Arc<dyn Report + Send + Sync> {
        let bar =
            ProgressBar::new(0).with_style(style("{bar:24} {bytes}/{total_bytes}  {bytes_per_sec}  {msg}"));
        Arc::new(DownloadBar::new(self.bars.add(bar)))
    }

    /// A run over `tasks` tasks begins.
    pub fn begin_run(&self, tasks: usize) {
        self.tasks.set_length(tasks as u64);
        self.tasks.enable_steady_tick(Duration::from_millis(200));
    }

    /// A task begins.
    pub fn begin_task(&self, name: &str) {
        self.tasks.set_message(name.to_owned());
    }

    /// A unit was read; `texts` is the number of its texts, if it is known.
    pub fn unit_read(&self, texts: Option<usize>) {
        self.texts.inc_length(texts.unwrap_or_default() as u64);
    }

    /// A unit is being scored.
    pub fn begin_unit(&self, task: &str, split: &str, subset: &str, texts: Option<usize>) {
        self.texts.set_message(output::visible(&format!("{split} {subset}")).into_owned());
        if self.verbose {
            let texts = texts
                .map_or_else(|| "a corpus of unknown size".to_owned(), |texts| output::count(texts, "text"));
            self.say(&format!("{task}, split {split}, subset {subset}: {texts}"));
        }
    }

    /// The embeddings of `count` more texts are there.
    pub fn texts(&self, count: u64) {
        self.texts.inc(count);
        let position = self.texts.position();
        if self.texts.length().is_some_and(|length| length < position) {
            self.texts.set_length(position);
        }
    }

    /// The unit ends.
    pub fn end_unit(&self) {
        self.texts.set_message("");
    }

    /// The task ends.
    pub fn end_task(&self, report: &TaskReport) {
        self.failures(report);
        self.tasks.inc(1);
    }

    /// Says at once what failed of a task and what is odd about it; a cause that was said before is not said again.
    pub fn failures(&self, report: &TaskReport) {
        for (unit, reason) in self.causes.unsaid(report) {
            let unit = format!("{}, split {}, subset {}", report.task, unit.split, unit.subset);
            self.bars.suspend(|| output::failure(format!("{unit}: {reason}")));
        }
        for unit in &report.units {
            for warning in &unit.warnings {
                let unit = format!("{}, split {}, subset {}", report.task, unit.split, unit.subset);
                self.bars.suspend(|| output::warn(format!("{unit}: {warning}")));
            }
        }
    }

    /// The task ends, of which nothing was scored.
    pub fn task_done(&self) {
        self.tasks.inc(1);
    }

    /// The run ends and the bars go.
    pub fn end_run(&self) {
        self.texts.finish_and_clear();
        self.tasks.finish_and_clear();
    }

    /// A line above the bars.
    pub fn say(&self, line: &str) {
        self.bars.suspend(|| output::say(line));
    }
}

/// The templates are part of the program, so the fallback is never seen.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
