//! Cards and registries, and the words that all crates share: parts of data, roles of texts, similarities, options.
//!
//! A task is described by one TOML file ([`TaskCard`]), as is a model ([`ModelCard`]); a [`Registry`] names tasks. This crate
//! reads no file and depends on none of the others.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod vocabulary_macro;

mod api_card;
mod artefacts;
mod dataset;
mod declared_types;
pub mod defaults;
mod expected;
mod include;
mod join;
mod layout;
mod license;
mod loading;
mod model_card;
mod model_info;
mod part;
mod part_defaults;
mod part_source;
mod prompt;
mod protocol;
mod provenance;
mod quality;
mod registry;
mod scored_by;
mod similarity;
mod subset;
mod subsets;
mod subtype;
mod task_card;
mod task_type;
mod transform;
mod type_declaration;
mod type_protocol;
pub mod vocabulary;

pub use api_card::{ApiCard, ApiPrices, ApiStyle, EmptyText, EncodingFormat, LongText};
pub use artefacts::Artefacts;
pub use dataset::{DataPlace, Dataset, Pin};
pub use declared_types::{DeclaredType, TypeEvaluator, declared_types};
pub use expected::Expected;
pub use include::{Include, IncludedTasks};
pub use join::{Join, JoinForm};
pub use layout::Layout;
pub use license::{LICENSES, is_license};
pub use loading::{Loading, LoadingDtype, PaddingSide, RowStep};
pub use model_card::{CardPooling, Loader, ModelCard, ModelKind};
pub use model_info::{Brackets, Identity, ModelInfo, Prompts, RowForm};
pub use part::Part;
pub use part_source::PartSource;
pub use prompt::Prompt;
pub use protocol::{KMeans, OWN, Protocol};
pub use provenance::Badge;
pub use quality::Quality;
pub use registry::{Aggregation, Benchmark, Group, Registry};
pub use scored_by::{OTHERS, Said, is_scored_by_others};
pub use similarity::Similarity;
pub use subset::Subset;
pub use subsets::Subsets;
pub use task_card::{CardError, TaskCard};
pub use task_type::{OwnType, TaskType, declare_type};
pub use transform::{HoldOut, Once, SoftLabels, SplitLabels, Subsample};
pub use type_declaration::{
    Better, ColumnDeclaration, Holds, OptionDeclaration, RESERVED_SCORES, ScoreDeclaration, TypeDeclaration,
};
pub use type_protocol::{
    NamedScores, PLAN, PairMeasure, Place, ScoreQuestion, Service, TASK_TYPE, TextSet, TypeAnswer, TypePlan,
    UnitQuestion,
};
pub use vocabulary::{ExtraMeasure, Role};
