//! The ground of a figure: an SVG of some size, and its colours.

use plotters::prelude::*;

/// A figure that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("expected to draw a figure: {0}")]
pub struct FigureError(pub(super) String);

/// Where a figure is drawn.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Colours that people with any sight tell apart. Source: Okabe and Ito 2008.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(180, 120, 0),
    RGBColor(100, 100, 100),
    RGBColor(140, 60, 160),
];

/// The series of what belongs to none, which is grey.
pub(super) const NO_SERIES: usize = usize::MAX;

/// The colour of a series.
pub(super) fn colour(series: usize) -> RGBColor {
    if series == NO_SERIES { RGBColor(170, 170, 170) } else { COLOURS[series % COLOURS.len()] }
}

/// True for series whose colour another one has before them: their lines are dashed.
pub(super) fn is_dashed(series: usize) -> bool {
    series / COLOURS.len() % 2 == 1
}

/// The size of an SVG, and what draws on it.
pub(super) fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&Area) -> Result<(), FigureError>,
) -> Result<String, FigureError> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area)?;
        area.present().map_err(fault)?;
    }
    // The width is that of the page or the paper.
    let sized = format!("width=\"{}\" height=\"{}\" ", size.0, size.1);
    Ok(text.replacen(&sized, "", 1))
}

pub(super) fn fault(error: impl std::fmt::Display) -> FigureError {
    FigureError(error.to_string())
}

/// A name of others in a figure: visible, in one line, and short.
pub(super) fn label(name: &str, length: usize) -> String {
    let name = crate::visible(name).replace(['\n', '\t'], " ");
    if name.chars().count() <= length { name } else { name.chars().take(length - 1).chain(['…']).collect() }
}
