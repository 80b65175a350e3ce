//! The values that each score may take (protocol 6 and 7).

/// The values that a score may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Lowest.
    pub low: f64,
    /// Highest.
    pub high: f64,
    /// True if there are data for which the measure is not defined (NaN or null).
    pub may_be_undefined: bool,
}

impl Bounds {
    /// The bounds of the score called `name`: a share, unless it is named here.
    pub fn of(name: &str) -> Self {
        let name = name.strip_prefix("max_over_subqueries_").unwrap_or(name);
        let (low, high, may_be_undefined) = match name {
            _ if name.starts_with("nauc_") => (f64::NEG_INFINITY, f64::INFINITY, true),
            _ if name.ends_with("pearson") || name.ends_with("spearman") => (-1.0, 1.0, true),
            "p-MRR" | "ami" | "ami_scores" | "document_cosine" => (-1.0, 1.0, false),
            // No partition agrees less with another one (protocol 7.6).
            "ari" | "ari_scores" => (-0.5, 1.0, false),
            // Whichever measure it is.
            "main_score" => (-1.0, 1.0, true),
            // Average precision is only defined for two labels.
            "ap" | "ap_weighted" => (0.0, 1.0, true),
            _ => (0.0, 1.0, false),
        };
        Self { low, high, may_be_undefined }
    }
}
