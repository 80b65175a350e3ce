//! `mteb-host new pack` and `mteb-host new task-type`: plugins that provide tasks with their rows,
//! or a type of task of their own; and the crate of a plugin, which all kinds share.

use std::path::{Path, PathBuf};

use clap::Args;

use super::card_text::quote;
use super::names::{Names, read_name};
use super::template::{Files, check_printed, fill, rename};
use crate::exit::Exit;
use crate::output::{self, usage};

const CODE: &str = include_str!("../../../templates/pack/lib.rs");
const CARD: &str = include_str!("../../../templates/pack/TemplateSTS.toml");
const ROWS: &str = include_str!("../../../templates/pack/test.jsonl");

/// Arguments of `new pack`.
#[derive(Args, Debug)]
pub struct PackArgs {
    /// Name of the task pack, e.g. `my-tasks`.
    name: String,
    /// Name of its first task [default: from the pack's name].
    #[arg(long, value_name = "NAME")]
    task: Option<String>,
    /// Folder in which to create the crate.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    of_crate: CrateArgs,
}

impl PackArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Exit> {
        let pack = read_name(&self.name).map_err(usage)?;
        let task = read_name(&self.task.unwrap_or_else(|| format!("{}STS", pack.pascal))).map_err(usage)?;
        let code = |text: &str| {
            rename(
                text,
                &[
                    ("TemplateSTS", &task.given),
                    ("template-task", &pack.kebab),
                    ("TemplatePack", &format!("{}Pack", pack.pascal)),
                    ("TemplateTask", &format!("{}Task", pack.pascal)),
                    ("Apache-2.0", &self.of_crate.licence),
                    ("//! A task pack to start from: one task,", "//! A task pack: one task,"),
                ],
            )
        };
        PluginCrate {
            names: &pack,
            about: "A task pack: a separate workspace with one dependency.",
            description: "A pack with one task of sample rows: replace them with yours.",
            dependencies: "",
            run: format!("mteb-host run --plugin-dir plugins --registry {}.toml", pack.kebab),
            notes: "\nTo add a task, add a card and its rows under `data/`, an arm in `task`, and its name in \
                    `tasks` of the manifest.\n",
            files: vec![
                ("src/lib.rs".to_owned(), code(CODE)),
                (format!("data/{}.toml", task.given), code(CARD)),
                ("data/test.jsonl".to_owned(), ROWS.to_owned()),
                registry(&pack),
            ],
        }
        .write(&self.output, &self.of_crate)
    }
}

const TYPE_CODE: &str = include_str!("../../../templates/task-type/lib.rs");
const DECLARATION: &str = include_str!("../../../templates/task-type/type.toml");
const TYPE_CARD: &str = include_str!("../../../templates/task-type/CapitalAnalogies.toml");
const TYPE_ROWS: &str = include_str!("../../../templates/task-type/test.jsonl");

/// Arguments of `new task-type`.
#[derive(Args, Debug)]
pub struct TaskTypeArgs {
    /// Name of the task type, e.g. `Analogy`.
    name: String,
    /// Folder in which to create the crate.
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
    #[command(flatten)]
    of_crate: CrateArgs,
}

impl TaskTypeArgs {
    /// Runs the command.
    pub fn run(self) -> Result<Exit, Exit> {
        let given = read_name(&self.name).map_err(usage)?;
        let own = read_name(&given.pascal).map_err(usage)?;
        let (task, evaluator) = (format!("My{}", own.pascal), format!("{}Type", own.pascal));
        let code = |text: &str| {
            rename(
                text,
                &[
                    ("CapitalAnalogies", &task),
                    ("\"analogies\"", &format!("\"{}\"", own.kebab)),
                    ("Analogies", &evaluator),
                    ("type = \"Analogy\"", &format!("type = \"{}\"", own.pascal)),
                    ("struct Analogy ", "struct Row "),
                    ("Analogy {", "Row {"),
                    ("[Analogy]", "[Row]"),
                    ("<Analogy>", "<Row>"),
                    ("Apache-2.0", &self.of_crate.licence),
                ],
            )
        };
        PluginCrate {
            names: &own,
            about: "A task pack with its own task type: a separate workspace with three dependencies.",
            description: "A type of task: analogies, until you replace them.",
            dependencies: "serde = { version = \"1\", features = [\"derive\"] }\ntoml = \"1\"\n",
            run: format!("mteb-host run --plugin-dir plugins --registry {}.toml", own.kebab),
            notes: "\n`data/type.toml` declares columns, scores and options; `plan` in `src/lib.rs` says which texts are encoded, `score` computes the scores.\n",
            files: vec![
                ("src/lib.rs".to_owned(), code(TYPE_CODE)),
                ("data/type.toml".to_owned(), DECLARATION.to_owned()),
                (format!("data/{task}.toml"), code(TYPE_CARD)),
                ("data/test.jsonl".to_owned(), TYPE_ROWS.to_owned()),
                registry(&own),
            ],
        }
        .write(&self.output, &self.of_crate)
    }
}

const MANIFEST: &str = include_str!("../../../templates/crate/Cargo.toml.txt");
const CONFORMANCE: &str = include_str!("../../../templates/crate/conformance.rs");
const WORKFLOW: &str = include_str!("../../../templates/crate/check.yml");
const IGNORED: &str = include_str!("../../../templates/crate/gitignore.txt");
const README: &str = include_str!("../../../templates/crate/README.md");
const REGISTRY: &str = include_str!("../../../templates/crate/registry.toml");
const FORMAT: &str = include_str!("../../../templates/crate/rustfmt.toml");

/// Options of crates.
#[derive(Args, Clone, Debug)]
pub struct CrateArgs {
    /// Path of `plugin-api` in a checkout of mteb-host [default: the checkout from which this
    /// program was built].
    #[arg(long, value_name = "DIR")]
    plugin_api: Option<PathBuf>,
    /// Licence of the code, as an SPDX identifier.
    #[arg(long, value_name = "L", default_value = "Apache-2.0")]
    pub licence: String,
}

/// A crate that is to be written.
pub struct PluginCrate<'a> {
    /// Its name.
    pub names: &'a Names,
    /// First line of its manifest.
    pub about: &'a str,
    /// Its description.
    pub description: &'a str,
    /// Lines of `[dependencies]` beside the interface.
    pub dependencies: &'a str,
    /// The command that scores it.
    pub run: String,
    /// What its README says beside that.
    pub notes: &'a str,
    /// Files of its own.
    pub files: Vec<(String, String)>,
}

impl PluginCrate<'_> {
    /// Writes the crate into a folder of its name below `around`.
    ///
    /// # Errors
    /// If it cannot be written, or the interface is not found; which is said.
    pub fn write(&self, around: &Path, args: &CrateArgs) -> Result<Exit, Exit> {
        let api = quote(&interface(args)?.to_string_lossy());
        let values = [
            ("name", self.names.given.as_str()),
            ("kebab", &self.names.kebab),
            ("snake", &self.names.snake),
            ("about", self.about),
            ("description", self.description),
            ("dependencies", self.dependencies),
            ("licence", &args.licence),
            ("api", &api),
            ("run", &self.run),
            ("notes", self.notes),
        ];
        let mut files = Files::default();
        for (path, template) in [
            ("Cargo.toml", MANIFEST),
            ("README.md", README),
            ("rustfmt.toml", FORMAT),
            (".gitignore", IGNORED),
            ("tests/conformance.rs", CONFORMANCE),
            (".github/workflows/check.yml", WORKFLOW),
        ] {
            files.add(path, fill(template, &values).trim_end().to_owned() + "\n");
        }
        for (path, text) in &self.files {
            files.add(path, text.as_str());
        }
        let folder = around.join(&self.names.kebab);
        files.write(&folder)?;
        check_printed(output::print(&format!(
            "test it: cargo test --manifest-path {}/Cargo.toml",
            folder.display()
        )))?;
        Ok(Exit::Done)
    }
}

/// The registry by which tasks of a pack are found.
pub fn registry(names: &Names) -> (String, String) {
    (format!("{}.toml", names.kebab), fill(REGISTRY, &[("kebab", &names.kebab)]))
}

/// The folder of the interface: the one that is named, else that of the checkout in whose `target` this program lies, or in which the
/// command was started.
fn interface(args: &CrateArgs) -> Result<PathBuf, Exit> {
    let is_interface = |folder: &Path| {
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        manifest.contains("name = \"mteb-plugin-api\"")
    };
    if let Some(named) = &args.plugin_api {
        return named.canonicalize().ok().filter(|folder| is_interface(folder)).ok_or_else(|| {
            usage(format!(
                "`--plugin-api`: expected the folder `plugin-api` of a checkout of mteb-host, found: {}",
                named.display()
            ))
        });
    }
    let program = std::env::current_exe().and_then(|program| program.canonicalize()).unwrap_or_default();
    let here = std::env::current_dir().unwrap_or_default();
    let above = program.ancestors().chain(here.ancestors()).map(|folder| folder.join("plugin-api"));
    let mut above = above.filter(|folder| is_interface(folder));
    above.next().ok_or_else(|| {
        usage(
            "expected a checkout of mteb-host around this program or this folder, because the plugin interface \
             is not published yet; clone it, and pass `--plugin-api mteb-host/plugin-api`",
        )
    })
}
