"""Small tokenizers of every kind that checkpoints bring, trained on the texts of the tests."""

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from texts import SENTENCES

SIZE = 320


def _framed(first, last, ids, pair_middle=None):
    """Special tokens before and behind; `pair_middle` is what stands between the texts of a pair."""
    middle = pair_middle if pair_middle is not None else last
    join = " ".join
    return processors.TemplateProcessing(
        single=join(filter(None, [first, "$A", last])),
        pair=join(filter(None, [first, "$A", middle, "$B:1" if pair_middle is None else "$B", last and (last + (":1" if pair_middle is None else ""))])),
        special_tokens=ids,
    )


def word_piece():
    """BERT's: lower-case word pieces, [CLS] and [SEP], types of a pair."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(SENTENCES, trainers.WordPieceTrainer(vocab_size=SIZE, special_tokens=special))
    tokenizer.post_processor = _framed("[CLS]", "[SEP]", [("[CLS]", 2), ("[SEP]", 3)])
    names = dict(unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
    return tokenizer, {**names, "tokenizer_class": "BertTokenizer"}


def mpnet():
    """MPNet's: word pieces between <s> and </s>, the padding's id is 1."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"]
    tokenizer.train_from_iterator(SENTENCES, trainers.WordPieceTrainer(vocab_size=SIZE, special_tokens=special))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", unk_token="[UNK]", pad_token="<pad>", mask_token="<mask>")


def byte_level(special, post_processor=None, size=SIZE, **names):
    """Bytes merged into pieces, as GPT-2, RoBERTa, Qwen, Llama 3 have it."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    if post_processor is not None:
        tokenizer.post_processor = post_processor
    return tokenizer, names


def roberta():
    post = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    names = dict(bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", unk_token="<unk>", pad_token="<pad>", mask_token="<mask>")
    return byte_level(["<s>", "<pad>", "</s>", "<unk>", "<mask>"], post, **names)


def modern():
    post = _framed("[CLS]", "[SEP]", [("[CLS]", 0), ("[SEP]", 1)], pair_middle="[SEP]")
    names = dict(cls_token="[CLS]", sep_token="[SEP]", unk_token="[UNK]", pad_token="[PAD]", mask_token="[MASK]")
    return byte_level(["[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"], post, **names)


def gpt():
    """GPT-2's: nothing frames the text, so that an empty text has no token."""
    return byte_level(["<|endoftext|>"], None, bos_token="<|endoftext|>", eos_token="<|endoftext|>", unk_token="<|endoftext|>", pad_token="<|endoftext|>")


QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def chat():
    """Qwen's: nothing behind the text, and the answers are tokens."""
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokenizer, names = byte_level(special, None, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    tokenizer.normalizer = normalizers.NFC()
    split = pre_tokenizers.Split(Regex(QWEN), behavior="isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.add_tokens(["yes", "no"])
    return tokenizer, {**names, "tokenizer_class": "Qwen2Tokenizer"}


def closing():
    """As Qwen3's embedders have it: one token behind the text."""
    tokenizer, names = chat()
    tokenizer.post_processor = processors.Sequence(
        [processors.ByteLevel(trim_offsets=False), _framed(None, "<|endoftext|>", [("<|endoftext|>", 0)])]
    )
    return tokenizer, names


def unigram():
    """SentencePiece's unigrams, as XLM-RoBERTa has them."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    tokenizer.train_from_iterator(SENTENCES, trainers.UnigramTrainer(vocab_size=SIZE, special_tokens=special, unk_token="<unk>"))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", unk_token="<unk>", pad_token="<pad>", mask_token="<mask>")


def t5():
    """T5's: unigrams with one token behind the text."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="always")
    special = ["<pad>", "</s>", "<unk>"]
    tokenizer.train_from_iterator(SENTENCES, trainers.UnigramTrainer(vocab_size=SIZE, special_tokens=special, unk_token="<unk>"))
    tokenizer.post_processor = _framed(None, "</s>", [("</s>", 1)])
    return tokenizer, dict(eos_token="</s>", unk_token="<unk>", pad_token="<pad>")


def byte_fallback():
    """As Llama 2, Mistral and Gemma have it: pieces of SentencePiece, bytes for what is unknown, <s> first."""
    special = ["<pad>", "<s>", "</s>", "<unk>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    trainer = trainers.BpeTrainer(vocab_size=256 + 140, special_tokens=special, limit_alphabet=60)
    tokenizer.train_from_iterator(SENTENCES, trainer)
    tokenizer.post_processor = _framed("<s>", None, [("<s>", 1)])
    return tokenizer, dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", pad_token="<pad>")


# A few rules, for those of NFKC make a file of 240 kB: what is replaced and by what, as code points.
RULES = ["FB01\t66 69", "FB02\t66 6C", "2460\t31", "3000\t20", "A0\t20", "9\t20", "A\t20", "200B\t", "65 301\tE9", "FF21\t41"]


def sentence_pieces(**more):
    """A model file of SentencePiece (package sentencepiece, whose training is deterministic)."""
    import io
    import pathlib
    import tempfile

    import sentencepiece

    with tempfile.TemporaryDirectory() as folder:
        rules = pathlib.Path(folder) / "rules.tsv"
        rules.write_text("".join(rule + "\n" for rule in RULES))
        out = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(SENTENCES),
            model_writer=out,
            vocab_size=SIZE,
            normalization_rule_tsv=str(rules),
            hard_vocab_limit=False,
            character_coverage=0.98,
            num_threads=1,
            minloglevel=2,
            **more,
        )
    return out.getvalue()
