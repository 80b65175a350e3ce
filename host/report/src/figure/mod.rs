//! Figures as SVG and PNG: scores against cost, similarity of tables, scores by language, maps of texts.

mod canvas;
mod families;
mod language_tables;
mod map;
mod matrix;
mod names;
mod overview;
mod paper;
mod raster;
mod scatter;
mod similarity;
mod speed;
mod strips;
mod tables;
mod training;

pub use canvas::FigureError;
pub use language_tables::language_table;
pub use map::{MappedTexts, figure_map};
pub use matrix::Matrix;
pub use overview::{TaskOfType, figure_1};
pub use paper::{Figure, figure_3, figure_5, figure_6_models, figure_6_types};
pub use scatter::{Point, Scatter};
pub use similarity::{MeanEmbedding, figure_2};
pub use speed::{Speed, figure_4};
pub use strips::{Panel, Strips};
pub use tables::{DataRow, SplitSize, table_1, table_2, table_11};
