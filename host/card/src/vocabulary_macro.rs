//! The macro that makes an enum of a closed word list.

/// An enum whose variants are written as given strings.
macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $(#[$about])* #[serde(rename = $text)] $variant,)*
        }

        impl $name {
            /// All values in the reference's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The value as cards and results write it.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($text),*] })
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.pad(self.as_str())
            }
        }
    };
}
