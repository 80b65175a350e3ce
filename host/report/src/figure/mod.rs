//! Figures as SVG: scores against cost, similarity of tables, scores by language.

mod canvas;
mod matrix;
mod paper;
mod pareto;
mod scatter;
mod strips;
mod tables;

pub use canvas::FigureError;
pub use matrix::Matrix;
pub use paper::{Figure, figure_3, figure_5, figure_6_models, figure_6_types};
pub use pareto::pareto_front;
pub use scatter::{Point, Scatter};
pub use strips::{Panel, Strips};
pub use tables::{table_1, table_11};
