//! Finds the plugins, for every subcommand that needs them.

use std::sync::{Mutex, PoisonError};

use mteb_base::threads::beside;
use mteb_card::{TypeEvaluator, declared_measures, declared_types};
use mteb_engine::own_types;
use mteb_models::model::trust_environment;
use mteb_registry::{Selected, folder_warnings, keep_fetched_registries, read_ahead};
use mteb_workers::plugins::{Catalog, Trust};
use mteb_workers::settings::Settings;

use crate::exit::Exit;
use crate::output;

/// SHA-256 sums from the command line that match no plugin. A card that is read later may name a
/// file with one of them.
static UNUSED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The plugins in all folders of `settings`, with the cards of task packs, for which registries ask the catalog later (`Packs`). What of
/// the settings came to nothing is said at the latest when the command ends.
pub fn discover(settings: &Settings) -> Catalog {
    let catalog = Catalog::discover(settings);
    UNUSED.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&catalog.unused);
    own_types::provide(settings, &catalog);
    let offline = settings.hub_access().offline_setting();
    keep_fetched_registries(settings.cache_dir.clone(), offline, |line| output::say(line));
    if !settings.environments.is_empty() {
        let mut trust = Trust::load(Vec::new());
        for environment in &settings.environments {
            let trusted = trust_environment(environment, &mut trust);
            if let Err(message) = trusted {
                output::warn(format!("`--trust-python`: {message}"));
            }
        }
    }
    catalog.warnings.iter().for_each(output::warn);
    folder_warnings().iter().for_each(output::warn);
    if let Some(missing) = mteb_system::process::missing() {
        output::warn(format!("expected {missing}, found none: no model will run; mount it"));
    }
    catalog
}

/// Warns once about each SHA-256 from the command line that matches neither a plugin nor the
/// evaluator of a card that was read.
pub fn say_unused() {
    let is_evaluator = |sha256: &str| {
        let types = declared_types().into_iter().map(|declared| &declared.evaluator);
        let measures = declared_measures().into_iter().map(|declared| &declared.evaluator);
        types
            .chain(measures)
            .any(|own| matches!(own, TypeEvaluator::Python { sha256: own, .. } if own == sha256))
    };
    let unused = std::mem::take(&mut *UNUSED.lock().unwrap_or_else(PoisonError::into_inner));
    for unused in unused.iter().filter(|unused| !is_evaluator(unused)) {
        output::warn(format!("`--trust-plugin`: no plugin has this SHA-256: {unused}"));
    }
}

/// The plugins, found while the cards of the binary are read, for a command that asks for all of them.
pub fn discover_and_read_cards(settings: &Settings) -> Catalog {
    beside(read_ahead, || discover(settings))
}

/// Stores what the user trusts and allows, for a command that does not use plugins otherwise.
pub fn discover_if_trusting(settings: &Settings) {
    if settings.grants_permission() {
        discover(settings);
    }
}

/// Says which files were refused and which folders are not there; those in a folder that the user named, or in the user's own, fail
/// the command.
pub fn say_refusals(catalog: &Catalog) {
    catalog.absent.iter().for_each(output::error);
    for refusal in &catalog.refusals {
        let what = if refusal.is_shortage { "plugin left out" } else { "plugin refused" };
        let line = format!("{what}: {}", refusal.message);
        if refusal.explicit { output::error(line) } else { output::warn(line) }
    }
}

/// The exit code of a run of `tasks` that ended with `exit`: that of a refusal also where a task has failed since its pack is not
/// there, which may be what was refused.
pub fn consider_refusals_of_run(exit: Exit, tasks: &[Selected], catalog: &Catalog) -> Exit {
    let is_lost = |task: &Selected| {
        let pack = task.entry.card.dataset.plugin.as_deref();
        pack.is_some_and(|pack| catalog.plugin(pack).is_none())
    };
    let is_refused = || catalog.refusals.iter().any(|refusal| !refusal.is_shortage);
    match exit {
        Exit::Failed if is_refused() && tasks.iter().any(is_lost) => Exit::Refused,
        exit => consider_refusals(exit, catalog),
    }
}

/// The exit code of a command that ended with `exit`: that of a refusal where it would be none, or where a name was not found,
/// which may be in the refused file; that of a failure if there was no room for the file; that of a wrong use if a folder that was
/// named is not there.
pub fn consider_refusals(exit: Exit, catalog: &Catalog) -> Exit {
    let explicit = |is_shortage: bool| {
        catalog.refusals.iter().any(|refusal| refusal.explicit && refusal.is_shortage == is_shortage)
    };
    match exit {
        Exit::Done | Exit::Usage if explicit(false) => Exit::Refused,
        Exit::Done | Exit::Usage if explicit(true) => Exit::Failed,
        Exit::Done if !catalog.absent.is_empty() => Exit::Usage,
        exit => exit,
    }
}
