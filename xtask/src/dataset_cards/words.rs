//! The words of the facts in both languages of the dataset cards.

/// What the facts say in one language.
pub struct Words {
    /// Sign between the whole and the fraction of a number.
    pub decimal: char,
    /// Heading of the names of facts.
    pub fact: &'static str,
    /// Heading of the values of facts.
    pub value: &'static str,
    /// Name of the dataset in metadata.
    pub name: &'static str,
    /// Task, with its type and revision.
    pub task: &'static str,
    /// Revision of the task.
    pub revision: &'static str,
    /// Main score.
    pub main_score: &'static str,
    /// Languages.
    pub languages: &'static str,
    /// Domains.
    pub domains: &'static str,
    /// How the labels were made.
    pub annotations: &'static str,
    /// Licence.
    pub licence: &'static str,
    /// Heads of the table of texts: part, column, rows, texts, then lengths in characters.
    pub texts: [&'static str; 8],
    /// Evaluation rows.
    pub evaluation: &'static str,
    /// Training rows.
    pub training: &'static str,
    /// Labels of a part.
    pub labels: &'static str,
    /// Scores of a part.
    pub scores: &'static str,
    /// Between the ends of a range.
    pub to: &'static str,
    /// Mean.
    pub mean: &'static str,
    /// Judgements by grade.
    pub judgements: &'static str,
    /// Queries, after their number.
    pub queries: &'static str,
    /// Grade, before its number.
    pub grade: &'static str,
    /// Relevant documents a query, on average.
    pub relevant: &'static str,
    /// Candidates a query, on average.
    pub candidates: &'static str,
    /// Training texts among the evaluation rows.
    pub overlap: &'static str,
    /// Checks and measures of artefacts: as the gate calls them, and as they are called here.
    pub artefacts: &'static [(&'static str, &'static str)],
    /// Who wrote and judged a dataset, between the days `{first}` and `{last}`, and what follows.
    pub provenance: &'static str,
    /// What chance reaches, before the number.
    pub chance: &'static str,
    /// Least that is allowed, before the number.
    pub least: &'static str,
    /// Most that is allowed, before the number.
    pub most: &'static str,
}

impl Words {
    /// A number as it is written, with so many places.
    pub fn number(&self, number: f64, places: usize) -> String {
        format!("{number:.places$}").replace('.', &self.decimal.to_string())
    }
}

/// English.
pub const ENGLISH: Words = Words {
    decimal: '.',
    fact: "Fact",
    value: "Value",
    name: "Name",
    task: "Task",
    revision: "revision",
    main_score: "Main score",
    languages: "Languages",
    domains: "Domains",
    annotations: "Annotations",
    licence: "Licence",
    texts: ["Part", "Column", "Rows", "Texts", "Shortest text, characters", "Median", "Mean", "Longest"],
    evaluation: "test",
    training: "train",
    labels: "Labels",
    scores: "Scores",
    to: "to",
    mean: "mean",
    judgements: "Judgements",
    queries: "queries",
    grade: "grade",
    relevant: "Relevant documents a query",
    candidates: "Candidates a query",
    overlap: "Test texts that are training texts",
    artefacts: &[
        ("surface only", "By looks alone (lengths, digits, punctuation, capitals, first word)"),
        ("one side", "By one text of the pair alone"),
        ("query-blind", "By the documents without the query"),
        ("label words", "Texts in which their label stands"),
        ("TF-IDF", "Character TF-IDF"),
        ("unjudged", "Unjudged among the ten best by BM25"),
    ],
    provenance: "**Provenance.** A large language model of the Claude family wrote the texts and judged them between {first} and {last}, with the guideline \
                 [pedoman-anotasi.md](../docs/pedoman-anotasi.md); second readers, where the card tells of them, were such models too. No person annotated this dataset. What follows: \
                 there is no human ceiling, agreement among readers of one family is no evidence that people would agree, and models of that family, or trained on its texts, may be \
                 favoured.",
    chance: "chance",
    least: "at least",
    most: "at most",
};

/// Indonesian.
pub const INDONESIAN: Words = Words {
    decimal: ',',
    fact: "Keterangan",
    value: "Nilai",
    name: "Nama",
    task: "Tugas",
    revision: "revisi",
    main_score: "Skor utama",
    languages: "Bahasa",
    domains: "Ranah",
    annotations: "Anotasi",
    licence: "Lisensi",
    texts: [
        "Bagian",
        "Kolom",
        "Baris",
        "Teks",
        "Teks terpendek, karakter",
        "Median",
        "Rata-rata",
        "Terpanjang",
    ],
    evaluation: "test",
    training: "train",
    labels: "Label",
    scores: "Skor",
    to: "sampai",
    mean: "rata-rata",
    judgements: "Penilaian",
    queries: "pertanyaan",
    grade: "skor",
    relevant: "Dokumen relevan per pertanyaan",
    candidates: "Kandidat per pertanyaan",
    overlap: "Teks uji yang juga teks latih",
    artefacts: &[
        ("surface only", "Dari rupa teks saja (panjang, angka, tanda baca, huruf besar, kata pertama)"),
        ("one side", "Dari satu teks pasangan saja"),
        ("query-blind", "Dari dokumen tanpa pertanyaan"),
        ("label words", "Teks yang memuat labelnya sendiri"),
        ("TF-IDF", "TF-IDF karakter"),
        ("unjudged", "Belum dinilai di antara sepuluh teratas BM25"),
        ("accuracy", "akurasi"),
        ("share", "porsi"),
        ("Spearman's correlation", "korelasi Spearman"),
    ],
    provenance: "**Asal-usul.** Teksnya ditulis dan dinilai oleh model bahasa besar keluarga Claude antara {first} dan {last}, dengan pedoman \
                 [pedoman-anotasi.md](../docs/pedoman-anotasi.md); pembaca kedua, bila disebut di kartu ini, juga model semacam itu. Tidak ada orang yang menganotasi dataset ini. \
                 Akibatnya: tidak ada batas atas manusia, kesepakatan antarpembaca dari satu keluarga bukan bukti bahwa manusia akan sepakat, dan model dari keluarga itu, atau yang \
                 dilatih dengan teksnya, mungkin diuntungkan.",
    chance: "tebakan acak",
    least: "paling sedikit",
    most: "paling banyak",
};
