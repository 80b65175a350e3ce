"""Make bm25.json: scores of every document for every query by the reference's `mteb/baseline-bm25s`.

usage: make.py   (in this folder; Python with mteb 2.26.24, bm25s 0.3.16, PyStemmer 3.1.0)

Documents are drawn from the words of a few sentences a language, of our own, with endings that stemmers cut; languages
are those with a list of stop words, with a stemmer alone, with neither, and those that are cut into characters.
"""
import json
import logging
import random

import numpy as np
from mteb.models.model_implementations.bm25 import BM25Search, BM25Tokenizer
import bm25s

logging.disable(logging.CRITICAL)

SENTENCES = {
    "eng": "The rivers were rising and the villagers' houses had been flooded; they are evacuating quickly to the generously "
    "offered schools, which is not easy for happily sleeping children. Relational databases, organisation and organising.",
    "deu": "Die Häuser der Dorfbewohner wurden überschwemmt und sie flüchteten in die Schulen, die ihnen großzügig angeboten wurden.",
    "nld": "De huizen van de dorpelingen stonden onder water en zij vluchtten naar de scholen die hun waren aangeboden.",
    "fra": "Les maisons des villageois ont été inondées et ils se réfugient dans les écoles généreusement proposées à l'été.",
    "spa": "Las casas de los vecinos fueron inundadas y ellos corrieron hacia las escuelas que les habían ofrecido generosamente.",
    "por": "As casas dos moradores foram inundadas e eles correram para as escolas que lhes tinham sido oferecidas.",
    "ita": "Le case degli abitanti sono state allagate e loro corrono verso le scuole generosamente offerte.",
    "rus": "Дома жителей были затоплены, и они быстро побежали в школы, которые им предложили соседние деревни.",
    "swe": "Byns hus översvämmades och invånarna flydde till skolorna som de hade erbjudits av grannarna.",
    "nob": "Husene i bygda ble oversvømt og innbyggerne flyktet til skolene som de hadde fått tilbud om.",
    "ind": "Rumah-rumah penduduk terendam banjir dan mereka mengungsi ke sekolahan yang disediakan pemerintahan; anak-anak "
    "bermain, membacakan bukunya, memperbaiki, menyapu, mengirimkan dan berjalanlah.",
    "jav": "Omah-omahe warga padha kebanjiran lan wong-wong padha ngungsi menyang sekolahan sing wis disiapake.",
    "tur": "Köylülerin evleri sular altında kaldı ve onlar kendilerine sunulan okullara doğru İSTANBUL'dan koştular.",
    "hin": "गाँव के घर बाढ़ में डूब गए और लोग विद्यालयों की ओर भागने लगे जो उन्हें दिए गए थे।",
    "ara": "غمرت المياه بيوت القرية وهرب السكان إلى المدارس التي فتحت أبوابها لهم.",
    "tam": "கிராமத்தின் வீடுகள் வெள்ளத்தில் மூழ்கின மக்கள் பள்ளிகளுக்கு ஓடினார்கள்.",
    "zho": "村民的房子被水淹没了，他们很快跑到学校去避难，因为学校在山上。",
    "jpn": "村の家は水に浸かり、人々はｶﾞｯｺｳへ急いで逃げました。ＡＢＣ 学校は高い所にあります。",
    "tha": "บ้านเรือนของชาวบ้านถูกน้ำท่วมและพวกเขาหนีไปโรงเรียน",
}


def text(rng, words, longest, joint):
    drawn = rng.choices(words, k=rng.randint(0, longest))
    return joint.join(word.upper() if rng.random() < 0.1 else word for word in drawn)


def scores(language, documents, queries):
    tokenizer = BM25Tokenizer(language=language)
    settings = BM25Search()
    retriever = bm25s.BM25(k1=settings.k1, b=settings.b, delta=settings.delta, method=settings.method)
    retriever.index(tokenizer.fit_transform(documents), show_progress=False)
    tokens = bm25s.tokenization.convert_tokenized_to_string_list(tokenizer.transform(queries))
    zeros = np.zeros(len(documents), dtype=np.float32)
    found = [retriever.get_scores(query) if query else zeros for query in tokens]
    return [[float(score) for score in query] for query in found]


def cases(rng):
    for language, sentence in SENTENCES.items():
        is_cut = language in ("zho", "jpn", "tha")
        words = list(sentence) if is_cut else sentence.split(" ")
        joint = "" if is_cut else " "
        frequent = words[3]
        for round in range(2):
            documents = [text(rng, words, 30, joint) for _ in range(25)]
            # A word that nearly every document has.
            documents = [f"\n{document}{joint}{frequent}" if i or round else document for i, document in enumerate(documents)]
            queries = [text(rng, words, 8, joint) for _ in range(12)] + [sentence, "", "zzz qqq", f"{frequent} {frequent}"]
            yield {"language": language, "documents": documents, "queries": queries, "scores": scores(language, documents, queries)}


with open("bm25.json", "w") as out:
    rows = (json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases(random.Random(5)))
    out.write("[\n" + ",\n".join(rows) + "\n]\n")
