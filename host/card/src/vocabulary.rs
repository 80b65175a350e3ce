//! The closed word lists of the reference's task metadata (protocol 11).

use serde::{Deserialize, Serialize};

vocabulary! {
    /// Extra measures of ranking tasks (protocol 7.4).
    ExtraMeasure {
        MaxOverSubqueries = "max_over_subqueries",
        PairedAccuracy = "paired_accuracy",
        Robustness = "robustness",
        LevelScores = "level_scores",
        CappedRecall = "capped_recall",
        Judged = "judged",
    }
}

vocabulary! {
    /// What goes in and what comes out: t text, i image, a audio, v video, c category.
    Category {
        T2t = "t2t",
        T2c = "t2c",
        I2i = "i2i",
        I2c = "i2c",
        I2t = "i2t",
        T2i = "t2i",
        It2t = "it2t",
        It2i = "it2i",
        I2it = "i2it",
        T2it = "t2it",
        It2it = "it2it",
        A2a = "a2a",
        A2c = "a2c",
        A2t = "a2t",
        T2a = "t2a",
        At2t = "at2t",
        At2i = "at2i",
        At2a = "at2a",
        A2at = "a2at",
        T2at = "t2at",
        At2at = "at2at",
        V2v = "v2v",
        V2c = "v2c",
        V2t = "v2t",
        T2v = "t2v",
        Vt2t = "vt2t",
        Vt2v = "vt2v",
        V2vt = "v2vt",
        T2vt = "t2vt",
        Vt2vt = "vt2vt",
        Va2c = "va2c",
        Va2t = "va2t",
        T2va = "t2va",
        Vat2t = "vat2t",
        Va2va = "va2va",
        V2a = "v2a",
        A2v = "a2v",
        Vt2a = "vt2a",
        It2a = "it2a",
        At2v = "at2v",
        A2i = "a2i",
        I2a = "i2a",
        I2v = "i2v",
        I2va = "i2va",
        It2v = "it2v",
        V2i = "v2i",
        It2c = "it2c",
    }
}

vocabulary! {
    /// Where texts come from.
    Domain {
        Academic = "Academic",
        Blog = "Blog",
        Constructed = "Constructed",
        Encyclopaedic = "Encyclopaedic",
        Engineering = "Engineering",
        Fiction = "Fiction",
        Government = "Government",
        Legal = "Legal",
        Medical = "Medical",
        News = "News",
        NonFiction = "Non-fiction",
        Poetry = "Poetry",
        Religious = "Religious",
        Reviews = "Reviews",
        Scene = "Scene",
        Social = "Social",
        Spoken = "Spoken",
        Subtitles = "Subtitles",
        Web = "Web",
        Written = "Written",
        Programming = "Programming",
        Chemistry = "Chemistry",
        Financial = "Financial",
        Entertainment = "Entertainment",
        ECommerce = "E-commerce",
        AudioScene = "AudioScene",
        Speech = "Speech",
        Music = "Music",
        Bioacoustics = "Bioacoustics",
        Sport = "Sport",
        Activity = "Activity",
        Instructional = "Instructional",
        Egocentric = "Egocentric",
        Nature = "Nature",
        Animation = "Animation",
        Robotics = "Robotics",
    }
}

vocabulary! {
    /// Who annotated the data.
    AnnotationsCreator {
        ExpertAnnotated = "expert-annotated",
        HumanAnnotated = "human-annotated",
        Derived = "derived",
        LMGenerated = "LM-generated",
        LMGeneratedAndReviewed = "LM-generated and reviewed",
        Automatic = "automatic",
        AutomaticAndReviewed = "automatic-and-reviewed",
        Algorithmic = "algorithmic",
    }
}

vocabulary! {
    /// How texts came to be.
    SampleCreation {
        Found = "found",
        Created = "created",
        CreatedAndMachineTranslated = "created and machine-translated",
        HumanTranslatedAndLocalized = "human-translated and localized",
        HumanTranslated = "human-translated",
        MachineTranslated = "machine-translated",
        MachineTranslatedAndVerified = "machine-translated and verified",
        MachineTranslatedAndLocalized = "machine-translated and localized",
        LMGeneratedAndVerified = "LM-generated and verified",
        MachineTranslatedAndLMVerified = "machine-translated and LM verified",
        Rendered = "rendered",
        Multiple = "multiple",
    }
}

pub use super::subtype::TaskSubtype;
pub use mteb_plugin_types::Role;
