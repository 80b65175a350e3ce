//! Cards and registries, and the words that all crates share: parts of data, roles of texts, similarities, options.
//!
//! A task is described by one TOML file ([`TaskCard`]), as is a model ([`ModelCard`]); a [`Registry`] names tasks. This crate
//! reads no file and depends on none of the others but on the types that plugins know.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod vocabulary_macro;

mod api_card;
mod artefacts;
mod card_measure;
mod dataset;
mod declare_error;
mod declared_measures;
mod declared_types;
pub mod defaults;
mod expected;
mod include;
mod join;
mod layout;
mod license;
mod model_card;
mod packs;
mod part;
mod part_defaults;
mod part_source;
mod prompt;
mod protocol;
mod provenance;
mod quality;
mod registry;
mod scored_by;
mod subset;
mod subsets;
mod subtype;
mod task_card;
mod task_type;
mod transform;
pub mod vocabulary;

pub use api_card::{ApiCard, ApiPrices, ApiStyle, EmptyText, EncodingFormat, LongText};
pub use artefacts::Artefacts;
pub use card_measure::{CardMeasure, MeasureNameError, PackMeasure};
pub use dataset::{DataPlace, Dataset, Pin};
pub use declare_error::DeclareError;
pub use declared_measures::{DeclaredMeasure, declare_measure, declared_measures};
pub use declared_types::{DeclaredType, TypeEvaluator, declared_types};
pub use expected::Expected;
pub use include::{Include, IncludedTasks};
pub use join::{Join, JoinForm};
pub use layout::Layout;
pub use license::{LICENSES, is_license, is_quotable};
pub use model_card::{CardPooling, Loader, ModelCard, ModelKind};
/// What plugins share with the host, too.
pub use mteb_plugin_types::{
    Aggregate, Better, Brackets, ColumnDeclaration, Holds, Identity, Loading, LoadingDtype, MEASURE,
    MEASURES, MeasureAnswer, MeasureDeclaration, MeasureQuestion, MeasuredUnit, ModelInfo, NamedScores,
    OptionDeclaration, PLAN, PaddingSide, PairMeasure, ParameterDeclaration, Place, Prompts, RESERVED_SCORES,
    RankedPlaces, RankingDeclaration, RowForm, RowStep, ScoreDeclaration, ScoreQuestion, Service, Similarity,
    TASK_TYPE, TextSet, TypeAnswer, TypeDeclaration, TypePlan, UnitQuestion,
};
pub use packs::Packs;
pub use part::Part;
pub use part_source::PartSource;
pub use prompt::Prompt;
pub use protocol::{KMeans, OWN, Protocol};
pub use provenance::Badge;
pub use quality::Quality;
pub use registry::{Aggregation, Benchmark, Group, Registry};
pub use scored_by::{OTHERS, Said, is_scored_by_others};
pub use subset::Subset;
pub use subsets::Subsets;
pub use task_card::{CardError, TaskCard};
pub use task_type::{OwnType, TaskType, declare_type};
pub use transform::{HoldOut, Once, SoftLabels, SplitLabels, Subsample};
pub use vocabulary::{ExtraMeasure, Role};
