//! Cards and registries, and the words that all crates share: parts of data, roles of texts, similarities, options.
//!
//! A task is described by one TOML file ([`TaskCard`]), as is a model ([`ModelCard`]); a [`Registry`] names tasks. This crate
//! reads no file and depends on none of the others but on the types that plugins know.

// These macros panic where a stream is closed or full; a library writes to none.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod vocabulary_macro;

mod api_card;
mod card_measure;
mod dataset;
mod declared_measures;
mod declared_types;
pub mod defaults;
mod license;
mod model_card;
mod part;
mod part_defaults;
mod part_source;
mod protocol;
mod provenance;
mod quality;
mod registry;
mod subsets;
mod subtype;
mod task_card;
mod task_type;
mod transform;
pub mod vocabulary;

pub use api_card::{ApiCard, ApiPrices, ApiStyle, EmptyText, EncodingFormat, LongText};
pub use card_measure::{CardMeasure, MeasureNameError, PackMeasure};
pub use dataset::{DataPlace, Dataset, Layout, Pin};
pub use declared_measures::{DeclaredMeasure, declare_measure, declared_measures};
pub use declared_types::{DeclareError, DeclaredType, TypeEvaluator, declared_types};
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
pub use part::Part;
pub use part_source::{Join, JoinForm, PartSource};
pub use protocol::{KMeans, OWN, Protocol};
pub use provenance::{Badge, OTHERS, Said, is_scored_by_others};
pub use quality::{Artefacts, Quality};
pub use registry::{Aggregation, Benchmark, Group, Include, IncludedTasks, Packs, Registry};
pub use subsets::{Subset, Subsets};
pub use task_card::{CardError, Expected, Prompt, TaskCard};
pub use task_type::{OwnType, TaskType, declare_type};
pub use transform::{HoldOut, Once, SoftLabels, SplitLabels, Subsample};
pub use vocabulary::{ExtraMeasure, Role};
