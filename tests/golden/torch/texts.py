"""Texts on which our encoders are compared with the reference: many scripts, lengths and oddities.

All sentences were written for this project.
"""

import random

SENTENCES = [
    "The ferry leaves the harbour at dawn and returns before the evening rain.",
    "Please reset my card PIN; the last three attempts were declined.",
    "A randomised trial of 214 patients found no difference in recovery time (p = 0.43).",
    "Isn't it odd that \"quotes\", (brackets) and e-mails like a.b@example.org matter?",
    "Sate madura dibakar di atas arang tempurung kelapa sampai harum.",
    "Gunung Merapi kembali mengeluarkan awan panas pada Selasa pagi.",
    "Bagaimana cara mengurus surat pindah domisili tanpa datang ke kantor?",
    "Harga cabai rawit naik dua kali lipat menjelang Idulfitri, keluh para pedagang.",
    "Wingi sore aku tuku jajan pasar ing cedhak alun-alun.",
    "Kuring keur diajar masak sangu liwet ti nini di lembur.",
    "Kapal ferry itu berangkat subuh, balik sebelum hujan sore.",
    "أقلعت الطائرة متأخرة ساعتين بسبب العاصفة الرملية.",
    "قرأتُ الكتابَ في ليلةٍ واحدة، ولم أنم.",
    "今日は朝から雨が降っていて、電車が遅れています。",
    "这家小饭馆的牛肉面又便宜又好吃。",
    "서울의 가을 하늘은 높고 푸르다.",
    "Поезд из Новосибирска прибывает на третий путь.",
    "Ο καπετάνιος μίλησε για τους ΑΝΕΜΟΥΣ του Αιγαίου.",
    "ประเทศไทยมีชายหาดที่สวยงามมากมาย",
    "नदी के किनारे बच्चे पतंग उड़ा रहे थे।",
    "Größe, Fußgänger, Übermut – naïve façades, señor Ångström à Zürich.",
    "İstanbul'da ılık bir gün; Iğdır'da kar.",
    "😀 😂🤣 👩‍👩‍👧‍👦 👍🏽 🇮🇩 ❤️‍🔥",
    "def f(x: int) -> str:\n    return f\"{x:>08b}\"  # 0b1010_1010",
    "https://example.org/a/b?c=d&e=%20f#g  v1.2.3-rc.4+build.5",
    "3.14159 2,718,281 −40 °C ½ ² ³ ① Ⅷ 1e-10",
    "[CLS] is a word here, and so are [SEP], <s>, </s>, <mask> and <|endoftext|>.",
    "tab\there, newline\nthere,  two  spaces, non-breaking\u00a0space, zero\u200bwidth",
    "ALL CAPS SHOUTING!!! why??? ... because —",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ﬁne ﬂuﬀ, Ａｂｃ１２３, e\u0301 against é, \u1e9b\u0323",
    "\u0391\u03a3 \u03c3\u03c2 ΟΔΟΣ ΣΑΣ",
]

EDGES = ["", " ", "a", ".", "\n", "  leading and trailing  ", "😀", "ⴰⵎⴰⵣⵉⵖ ᚠᚢᚦ 𒀀 𝔘𝔫𝔦", "\u0000null\u0007bell", "\ufeffBOM", "\ufffd"]


def varied(count, longest=240, seed=20):
    """`count` texts: the edges, every sentence alone, then mixtures of up to about `longest` words."""
    rng = random.Random(seed)
    texts = list(EDGES) + list(SENTENCES)
    while len(texts) < count:
        pieces = []
        words = rng.choice([3, 5, 8, 15, 30, 60, longest])
        while sum(len(piece.split()) for piece in pieces) < words:
            piece = rng.choice(SENTENCES)
            if rng.random() < 0.5:
                parts = piece.split()
                rng.shuffle(parts)
                piece = " ".join(parts[: rng.randint(1, len(parts))])
            pieces.append(piece)
        texts.append(rng.choice([" ", "\n", ". "]).join(pieces))
    return texts[:count]
