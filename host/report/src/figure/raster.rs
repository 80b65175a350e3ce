//! A figure as PNG: its SVG drawn on white, with a font of our own, so that it looks the same on a machine without any.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{FontResolver, Options, Tree};

use super::canvas::{FigureError, fault};

/// Liberation Sans, as wide as Arial and Helvetica: names take the room that they have where a browser shows the SVG.
static FONT: &[u8] = include_bytes!("font/LiberationSans-Regular.ttf");
const FAMILY: &str = "Liberation Sans";

/// Pixels of the PNG for one of the SVG, along each side: sharp in print and on dense screens.
const SCALE: f32 = 2.0;

/// Most pixels of a PNG; a larger figure gets fewer for each of its own.
const MOST: f32 = 40e6;

/// The PNG of an SVG.
///
/// # Errors
/// If it cannot be drawn.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, FigureError> {
    let tree = Tree::from_str(svg, &options()).map_err(fault)?;
    let size = tree.size();
    let scale = SCALE.min((MOST / (size.width() * size.height())).sqrt());
    let side = |length: f32| (length * scale).round().max(1.0) as u32;
    let mut pixels = Pixmap::new(side(size.width()), side(size.height()))
        .ok_or_else(|| fault(format!("{} × {} pixels are too many", size.width(), size.height())))?;
    pixels.fill(Color::WHITE);
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
        assert!(found.width() * found.height() <= MOST as u32 + 2 * found.width(), "{}", found.width());
    }
}
