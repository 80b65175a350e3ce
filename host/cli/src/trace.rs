//! `RUST_LOG`: what happens inside and how long it takes, for maintainers. Users are told by the observer of a run.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::env;
use std::fmt::{Debug, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::output;

/// Which crates say how much: `debug`, or `mteb_source=debug,mteb_hub=trace`.
const VARIABLE: &str = "RUST_LOG";

thread_local! {
    /// The spans that this thread is in.
    static WITHIN: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// Writes what happens to standard error from now on, if the environment asks for it.
pub fn start() {
    let filter = Filter::parse(&env::var(VARIABLE).unwrap_or_default());
    if filter.most_verbose_level() == LevelFilter::OFF {
        return;
    }
    let log = Log { filter, start: Instant::now(), next: AtomicU64::new(1), spans: Mutex::default() };
    // Nothing else sets one.
    let _ = tracing::subscriber::set_global_default(log);
}

/// How much is said, by the begin of a target; the longest that fits counts.
struct Filter(Vec<(String, LevelFilter)>);

impl Filter {
    /// What is no target and level is passed over: the variable is meant for other programs, too.
    fn parse(text: &str) -> Self {
        let part = |part: &str| -> Option<(String, LevelFilter)> {
            let part = Some(part.trim()).filter(|part| !part.is_empty())?;
            let (target, level) = part.split_once('=').unwrap_or(("", part));
            Some((target.trim().to_owned(), level.trim().parse().ok()?))
        };
        let mut levels: Vec<_> = text.split(',').filter_map(part).collect();
        levels.sort_by_key(|(target, _)| Reverse(target.len()));
        Self(levels)
    }

    fn level(&self, target: &str) -> LevelFilter {
        let found = self.0.iter().find(|(prefix, _)| target.starts_with(prefix.as_str()));
        found.map_or(LevelFilter::OFF, |(_, level)| *level)
    }

    fn most_verbose_level(&self) -> LevelFilter {
        self.0.iter().map(|(_, level)| *level).max().unwrap_or(LevelFilter::OFF)
    }
}

/// Writes a line for each event, and one for each span at its end.
struct Log {
    filter: Filter,
    start: Instant,
    next: AtomicU64,
    spans: Mutex<HashMap<u64, Span>>,
}

struct Span {
    metadata: &'static Metadata<'static>,
    fields: Fields,
    begin: Instant,
}

impl Log {
    fn spans(&self) -> MutexGuard<'_, HashMap<u64, Span>> {
        self.spans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, metadata: &Metadata<'_>, text: &str) {
        let within = WITHIN.with_borrow(|ids| {
            let spans = self.spans();
            let names = ids.iter().filter_map(|id| Some(format!("{}: ", spans.get(id)?.metadata.name())));
            names.collect::<String>()
        });
        let seconds = self.start.elapsed().as_secs_f64();
        let (level, target) = (metadata.level(), metadata.target());
        output::say(format!("{seconds:9.3} {level:5} {target}: {within}{text}"));
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.filter.level(metadata.target())
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.filter.most_verbose_level())
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        let span = Span { metadata: attributes.metadata(), fields, begin: Instant::now() };
        self.spans().insert(id, span);
        Id::from_u64(id)
    }

    fn record(&self, id: &Id, values: &Record<'_>) {
        if let Some(span) = self.spans().get_mut(&id.into_u64()) {
            values.record(&mut span.fields);
        }
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        self.write(event.metadata(), &fields.text());
    }

    fn enter(&self, id: &Id) {
        WITHIN.with_borrow_mut(|ids| ids.push(id.into_u64()));
    }

    fn exit(&self, id: &Id) {
        WITHIN.with_borrow_mut(|ids| {
            if let Some(place) = ids.iter().rposition(|open| *open == id.into_u64()) {
                ids.remove(place);
            }
        });
    }

    fn try_close(&self, id: Id) -> bool {
        let Some(span) = self.spans().remove(&id.into_u64()) else { return false };
        let (name, took) = (span.metadata.name(), span.begin.elapsed());
        self.write(span.metadata, &format!("{name} took {took:.1?}{}", span.fields.text()));
        true
    }
}

/// What an event or a span says: its message, and its other fields.
#[derive(Default)]
struct Fields {
    message: String,
    others: String,
}

impl Fields {
    fn text(&self) -> String {
        format!("{}{}", self.message, self.others)
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a text does not fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.others, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_target_counts_and_what_is_no_level_is_passed_over() {
        let filter = Filter::parse("info, mteb_hub=trace,mteb_hub::remote=off");
        let level = |target| filter.level(target);
        assert_eq!(level("mteb_source::layout"), LevelFilter::INFO);
        assert_eq!(level("mteb_hub::download"), LevelFilter::TRACE);
        assert_eq!(level("mteb_hub::remote"), LevelFilter::OFF);
        assert_eq!(filter.most_verbose_level(), LevelFilter::TRACE);
        assert_eq!(Filter::parse("mteb_hub=debug").level("hyper"), LevelFilter::OFF);
        assert_eq!(Filter::parse("mteb_hub=loud,other[span]=debug").most_verbose_level(), LevelFilter::DEBUG);
        assert_eq!(Filter::parse("").most_verbose_level(), LevelFilter::OFF);
    }
}
