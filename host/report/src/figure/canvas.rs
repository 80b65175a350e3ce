//! A figure: what it is drawn on and in which colours, and what it becomes, as SVG and as PNG. The
//! PNG has a font of our own, so that it looks the same on a machine without any.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plotters::prelude::*;
use resvg::tiny_skia::{self, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{FontResolver, Options, Tree};

use crate::grid::Grid;
use crate::reduction::ReductionError;

/// A figure that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FigureError {
    /// No two rows of a matrix share enough scores.
    #[error("expected two with at least {shared} shared scores that vary, found none among {found}")]
    Unrelated {
        /// Scores that two must share.
        shared: usize,
        /// Rows that there are.
        found: usize,
    },
    /// Embeddings have no places in two dimensions.
    #[error(transparent)]
    Reduction(#[from] ReductionError),
    /// The library that draws says why not.
    #[error("expected to draw a figure: {0}")]
    Drawing(#[source] Box<dyn Error + Send + Sync>),
}

/// A drawing and the numbers it was drawn from.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The drawing.
    pub svg: String,
    /// Its numbers.
    pub grid: Grid,
    /// What it does not show, and why; a line each.
    pub missing: Vec<String>,
}

impl Figure {
    /// The drawing as PNG, on white, two pixels for each of the SVG along both sides as long as it has fewer than 40 million.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn png(&self) -> Result<Vec<u8>, FigureError> {
        png(&self.svg)
    }
}

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

/// The key of a figure: the colour and the name of each series, one per line.
pub(super) fn draw_series_key(area: &Area, series: &[String]) -> Result<(), FigureError> {
    for (number, name) in series.iter().enumerate() {
        let y = 40 + 18 * number as i32;
        area.draw(&Circle::new((8, y), 4, colour(number).filled())).map_err(fault)?;
        area.draw(&Text::new(label(name, 22), (18, y - 7), ("sans-serif", 13))).map_err(fault)?;
    }
    Ok(())
}

pub(super) fn fault(error: impl Into<Box<dyn Error + Send + Sync>>) -> FigureError {
    FigureError::Drawing(error.into())
}

/// A name of others in a figure: visible, in one line, and short. What is left out is of its middle: versions and sizes, by which
/// names differ, stand at the end.
pub(super) fn label(name: &str, length: usize) -> String {
    let letters: Vec<char> = crate::visible(name).replace(['\n', '\t'], " ").chars().collect();
    if letters.len() <= length {
        return letters.into_iter().collect();
    }
    let end = (length - 1) * 2 / 5;
    let (begin, end) = (&letters[..length - 1 - end], &letters[letters.len() - end..]);
    begin.iter().chain(&['…']).chain(end).collect()
}

/// How a tick of an axis from `low` to `high` is written: with as many digits as tell its ticks apart.
pub(super) fn tick(low: f64, high: f64) -> impl Fn(&f64) -> String {
    // An axis has some ten ticks.
    let step = ((high - low) / 10.0).max(f64::MIN_POSITIVE);
    let digits = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    move |value| {
        let text = format!("{value:.digits$}");
        if text.trim_start_matches('-').chars().all(|digit| matches!(digit, '0' | '.')) {
            "0".to_owned()
        } else {
            text
        }
    }
}

/// Liberation Sans, as wide as Arial and Helvetica: names take the room that they have where a browser shows the SVG.
static FONT: &[u8] = include_bytes!("font/LiberationSans-Regular.ttf");
const FAMILY: &str = "Liberation Sans";

/// Pixels of the PNG for one of the SVG, along each side: sharp in print and on dense screens.
const SCALE: f32 = 2.0;

/// Most pixels of a PNG; a larger figure gets fewer for each of its own.
const MOST_PIXELS: f32 = 40e6;

/// The PNG of an SVG.
///
/// # Errors
/// If it cannot be drawn.
fn png(svg: &str) -> Result<Vec<u8>, FigureError> {
    let tree = Tree::from_str(svg, &options()).map_err(fault)?;
    let size = tree.size();
    let scale = SCALE.min((MOST_PIXELS / (size.width() * size.height())).sqrt());
    let side = |length: f32| (length * scale).round().max(1.0) as u32;
    let mut pixels = Pixmap::new(side(size.width()), side(size.height()))
        .ok_or_else(|| fault(format!("{} × {} pixels are too many", size.width(), size.height())))?;
    pixels.fill(tiny_skia::Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(fault)
}

fn options() -> Options<'static> {
    let mut fonts = Database::new();
    fonts.load_font_source(Source::Binary(Arc::new(FONT)));
    fonts.set_sans_serif_family(FAMILY);
    Options {
        font_family: FAMILY.to_owned(),
        font_resolver: FontResolver {
            select_font: FontResolver::default_font_selector(),
            select_fallback: with_system_fonts(),
        },
        fontdb: Arc::new(fonts),
        ..Options::default()
    }
}

/// Finds a font for a character that ours lacks, such as a Chinese one: among those of the system, which are looked for only then.
fn with_system_fonts() -> resvg::usvg::FallbackSelectionFn<'static> {
    let select = FontResolver::default_fallback_selector();
    let is_loaded = AtomicBool::new(false);
    Box::new(move |character, used, fonts| {
        if !is_loaded.swap(true, Ordering::Relaxed) {
            Arc::make_mut(fonts).load_system_fonts();
        }
        select(character, used, fonts)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(label("pubmedbert-base-embeddings-100K", 20), "pubmedbert-b…gs-100K");
        assert_ne!(
            label("pubmedbert-base-embeddings-100K", 20),
            label("pubmedbert-base-embeddings-500K", 20)
        );
        assert_eq!(label("short", 20), "short");
    }

    #[test]
    fn ticks_of_a_short_axis_differ() {
        let close = tick(79.9, 81.3);
        assert_eq!([80.2, 80.4, 81.0].map(|value| close(&value)), ["80.2", "80.4", "81.0"]);
        assert_eq!(tick(0.0, 100.0)(&20.0), "20");
        assert_eq!(tick(-1.0, 1.0)(&-0.0), "0");
    }

    fn drawn(svg: &str) -> Pixmap {
        Pixmap::decode_png(&png(svg).unwrap()).unwrap()
    }

    fn dark(pixels: &Pixmap) -> usize {
        pixels.pixels().iter().filter(|pixel| pixel.red() < 128).count()
    }

    #[test]
    fn text_is_drawn_on_white_whatever_fonts_the_machine_has() {
        let svg = |text: &str| {
            format!(
                "<svg viewBox=\"0 0 100 40\" xmlns=\"http://www.w3.org/2000/svg\">\
                 <text x=\"5\" y=\"5\" dy=\"0.76em\" font-family=\"sans-serif\" font-size=\"20\">{text}</text></svg>"
            )
        };
        let (none, some, more) = (drawn(&svg("")), drawn(&svg("×i–")), drawn(&svg("МШЖ")));
        assert_eq!((some.width(), some.height()), (200, 80));
        assert_eq!((dark(&none), none.pixel(0, 0).map(|pixel| pixel.alpha())), (0, Some(255)));
        assert!(dark(&some) > 50 && dark(&more) > 2 * dark(&some), "{} {}", dark(&some), dark(&more));
    }

    #[test]
    fn a_figure_of_any_size_takes_bounded_memory() {
        let found = drawn("<svg viewBox=\"0 0 30000 30000\" xmlns=\"http://www.w3.org/2000/svg\"/>");
        assert!(
            found.width() * found.height() <= MOST_PIXELS as u32 + 2 * found.width(),
            "{}",
            found.width()
        );
    }
}
