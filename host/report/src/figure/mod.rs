//! Figures as SVG and PNG: scores against cost, similarity of tables, scores by language, maps of texts.

mod canvas;
mod map;
mod matrix;
mod overview;
mod paper;
mod scatter;
mod speed;
mod strips;
mod tables;

pub use canvas::{Figure, FigureError};
pub use map::{MappedTexts, figure_map};
pub use matrix::{Matrix, MeanEmbedding, figure_2};
pub use overview::{TaskOfType, figure_1};
pub use paper::{figure_3, figure_5, figure_6_models, figure_6_types};
pub use scatter::{Point, Scatter};
pub use speed::{Speed, figure_4};
pub use strips::{Panel, Strips};
pub use tables::{DataRow, SplitSize, language_table, table_1, table_2, table_11};
