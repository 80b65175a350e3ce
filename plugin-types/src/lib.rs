//! What plugins and the host say to each other, as JSON: manifests, what models say of themselves, types of tasks.
//!
//! ```
//! use mteb_plugin_types::{Identity, Manifest, ModelInfo};
//!
//! let manifest = Manifest { licence: "MIT".to_owned(), ..Manifest::model("mine", "0.1.0", &["mine", "mine-*"]) };
//! assert!(manifest.has_model("mine-large"));
//!
//! let identity = Identity { name: "me/mine".to_owned(), revision: "1".to_owned(), ..Identity::default() };
//! let info = ModelInfo { identity, dimension: 384, ..ModelInfo::default() };
//! assert!(info.rows.is_dense());
//! ```
//!
//! Within 1.x a field is only added with a default; `..Default::default()` and the functions of [`Manifest`] keep a plugin's source valid then.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod loading;
mod manifest;
mod measure_declaration;
mod model_info;
mod model_option;
mod protocol;
mod type_declaration;

pub use loading::{Loading, LoadingDtype, PaddingSide, RowStep};
pub use manifest::{Manifest, PluginKind, name_and_edition};
pub use measure_declaration::{Aggregate, MeasureDeclaration, ParameterDeclaration, is_parameter_name};
pub use model_info::{Brackets, Identity, ModelInfo, Prompts, Role, RowForm, Similarity};
pub use model_option::{MODEL_OPTIONS, ModelOption, OptionType, chosen_options};
pub use protocol::{
    MEASURE, MEASURES, MeasureAnswer, MeasureQuestion, MeasuredUnit, NamedScores, PLAN, PairMeasure, Place,
    RankedPlaces, ScoreQuestion, Service, TASK_TYPE, TextSet, TypeAnswer, TypePlan, UnitQuestion,
};
pub use type_declaration::{
    Better, ColumnDeclaration, Holds, OptionDeclaration, RESERVED_SCORES, RankingDeclaration,
    ScoreDeclaration, TypeDeclaration,
};
