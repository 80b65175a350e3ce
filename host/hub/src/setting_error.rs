//! Variables of the environment that cannot be right.

/// A setting of the environment that cannot be right; nothing secret is shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// The address of the hub.
    #[error("`HF_ENDPOINT`: expected an address such as `https://huggingface.co`, found{found}")]
    Endpoint {
        /// What was found, with the mark before it.
        found: String,
    },
    /// The token, or the file that holds it.
    #[error(
        "`{place}`: expected a token of letters, digits and signs, found a space, a line end or another character that no \
         token has (the token is not shown here)"
    )]
    Token {
        /// The variable or the file.
        place: String,
    },
    /// The longest silence.
    #[error("`HF_HUB_DOWNLOAD_TIMEOUT`: expected a number of seconds, found: {0}")]
    Timeout(String),
    /// The authorities.
    #[error("`{variable}`: expected certificates in PEM form, found: {found}")]
    Certificates {
        /// The variable.
        variable: String,
        /// What is wrong.
        found: String,
    },
    /// The proxy.
    #[error(
        "`{variable}`: expected the address of a proxy such as `http://proxy.example:3128`, found{found}"
    )]
    Proxy {
        /// The variable.
        variable: String,
        /// What was found, with the mark before it.
        found: String,
    },
}
