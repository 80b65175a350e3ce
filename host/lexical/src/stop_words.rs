//! Words that say little of what a text is about, by language; from bm25s 0.3.16 (MIT licence).

macro_rules! lists {
    ($($name:ident = $file:literal;)*) => {
        $(pub(crate) const $name: &str = include_str!(concat!("../stop_words/", $file, ".txt"));)*
    };
}

lists! {
    CHINESE = "chinese";
    DUTCH = "dutch";
    ENGLISH = "english";
    FRENCH = "french";
    GERMAN = "german";
    ITALIAN = "italian";
    NORWEGIAN = "norwegian";
    PORTUGUESE = "portuguese";
    RUSSIAN = "russian";
    SPANISH = "spanish";
    SWEDISH = "swedish";
}
