"""The tiny checkpoints, one a function: each is what makes its kind of model different."""

import numpy
import torch
import transformers as hf
from safetensors.torch import load_file, save_file

import tokenizers_for_tests as tokenizers
from models import (
    LENGTH,
    MODELS,
    NORMALIZE,
    PROMPT,
    TEXTS,
    dense,
    edit,
    expect,
    expect_scores,
    modules,
    pairs,
    pooling,
    save,
    shake,
    write,
)

CATALOGUE = {}
WIDTH = 16
BERT = dict(hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=4, intermediate_size=24)


def model(make):
    CATALOGUE[make.__name__.replace("_", "-")] = make
    return make


def size(tokenizer):
    return len(tokenizer[0].get_vocab())


@model
def bert(name):
    tokenizer = tokenizers.word_piece()
    config = hf.BertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, **BERT)
    folder = save(name, hf.BertModel(config), tokenizer)
    settings = dict(prompts={"query": "query: ", "STS": PROMPT}, default_prompt_name=None, similarity_fn_name="dot")
    modules(folder, pooling(WIDTH, "mean"), NORMALIZE, **settings)
    expect(folder, prompts=True)


@model
def bert_every_pooling(name):
    """All ways side by side, then a dense layer; the weights are a file of torch.save, the prompt is left out."""
    tokenizer = tokenizers.word_piece()
    config = hf.BertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, hidden_act="relu", **BERT)
    folder = save(name, hf.BertModel(config), tokenizer)
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    modes = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
    layer = dense(WIDTH * len(modes), 12, "torch.nn.modules.activation.Tanh")
    modules(folder, pooling(WIDTH, *modes, include_prompt=False), layer, NORMALIZE)
    expect(folder, prompts=True)


@model
def bert_plain(name):
    """No files of sentence-transformers: mean pooling, and the tokenizer's maximum; below `bert.` and in parts."""
    tokenizer = tokenizers.word_piece()
    config = hf.BertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, **BERT)
    folder = save(name, hf.BertForMaskedLM(config), tokenizer, tokenizer_length=30)
    tensors = load_file(folder / "model.safetensors")
    names = sorted(tensors)
    halves = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, members in halves.items():
        save_file({member: tensors[member] for member in members}, folder / file)
    where = {member: file for file, members in halves.items() for member in members}
    write(folder / "model.safetensors.index.json", {"metadata": {}, "weight_map": where})
    (folder / "model.safetensors").unlink()
    expect(folder)


@model
def roberta(name):
    tokenizer = tokenizers.roberta()
    config = hf.RobertaConfig(vocab_size=size(tokenizer), max_position_embeddings=50, pad_token_id=1, type_vocab_size=1, **BERT)
    folder = save(name, hf.RobertaModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "cls"), lower=True)
    expect(folder)


@model
def xlm_roberta(name):
    tokenizer = tokenizers.unigram()
    config = hf.XLMRobertaConfig(vocab_size=size(tokenizer), max_position_embeddings=50, pad_token_id=1, type_vocab_size=1, **BERT)
    folder = save(name, hf.XLMRobertaModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "mean"), NORMALIZE)
    expect(folder, prompts=True)


@model
def distilbert(name):
    tokenizer = tokenizers.word_piece()
    config = hf.DistilBertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, dim=WIDTH, n_layers=2, n_heads=4, hidden_dim=24)
    folder = save(name, hf.DistilBertModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "mean"), dense(WIDTH, 12, "torch.nn.modules.linear.Identity", bias=False))
    expect(folder)


@model
def albert(name):
    """The weights are a file of torch.save as it was before PyTorch 1.6."""
    tokenizer = tokenizers.word_piece()
    config = hf.AlbertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, embedding_size=8, **BERT)
    folder = save(name, hf.AlbertModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "mean"))
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin", _use_new_zipfile_serialization=False)
    (folder / "model.safetensors").unlink()
    expect(folder)


@model
def mpnet(name):
    """Texts of up to 200 tokens, so that distances share buckets."""
    tokenizer = tokenizers.mpnet()
    config = hf.MPNetConfig(vocab_size=size(tokenizer), max_position_embeddings=220, pad_token_id=1, **BERT)
    folder = save(name, hf.MPNetModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "mean"), NORMALIZE, length=200)
    expect(folder)


def _t5(name, config, *steps):
    folder = save(name, hf.T5EncoderModel(config), tokenizers.t5())
    modules(folder, pooling(WIDTH, "mean"), *steps, length=200)
    expect(folder)


@model
def t5(name):
    config = hf.T5Config(vocab_size=320, d_model=WIDTH, d_kv=6, d_ff=24, num_layers=2, num_heads=4)
    _t5(name, config, dense(WIDTH, 20, "torch.nn.modules.linear.Identity", bias=False), NORMALIZE)


@model
def t5_gated(name):
    config = hf.T5Config(vocab_size=320, d_model=WIDTH, d_kv=4, d_ff=24, num_layers=2, num_heads=4, feed_forward_proj="gated-gelu")
    _t5(name, config)


@model
def umt5(name):
    config = hf.UMT5Config(vocab_size=320, d_model=WIDTH, d_kv=4, d_ff=24, num_layers=2, num_heads=4)
    folder = save(name, hf.UMT5EncoderModel(config), tokenizers.t5())
    modules(folder, pooling(WIDTH, "mean"))
    expect(folder)


@model
def modernbert(name):
    tokenizer = tokenizers.modern()
    config = hf.ModernBertConfig(vocab_size=size(tokenizer), local_attention=8, max_position_embeddings=128, cls_token_id=0, sep_token_id=1, pad_token_id=2, bos_token_id=0, eos_token_id=1, **{**BERT, "num_hidden_layers": 4})
    folder = save(name, hf.ModernBertModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "cls"), length=100)
    expect(folder)


@model
def gpt_neo(name):
    """Weighted mean, as SGPT has it."""
    tokenizer = tokenizers.gpt()
    config = hf.GPTNeoConfig(vocab_size=size(tokenizer), hidden_size=WIDTH, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]], window_size=6, max_position_embeddings=64, intermediate_size=24, bos_token_id=0, eos_token_id=0)
    folder = save(name, hf.GPTNeoModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "weightedmean"))
    expect(folder)


@model
def sgpt(name):
    """The brackets of SGPT, as https://github.com/Muennighoff/sgpt ("Asymmetric Semantic Search BE") puts them."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(MODELS / "gpt-neo")
    network = AutoModel.from_pretrained(MODELS / "gpt-neo").float().eval()
    one = lambda bracket: tokenizer.encode(bracket, add_special_tokens=False)[0]
    found = {}
    for role, (before, behind) in dict(queries="[]", documents="{}").items():
        rows = []
        for text in TEXTS:
            ids = [one(before)] + tokenizer(text, truncation=True, max_length=LENGTH)["input_ids"] + [one(behind)]
            with torch.no_grad():
                hidden = network(torch.tensor([ids])).last_hidden_state[0]
            weights = torch.arange(1, len(ids) + 1).float()[:, None]
            rows.append((hidden * weights).sum(0) / weights.sum())
        found[role] = torch.stack(rows)
    (MODELS / name).mkdir(parents=True, exist_ok=True)
    save_file(found, MODELS / name / "expected.safetensors")


@model
def gpt_j(name):
    tokenizer = tokenizers.gpt()
    config = hf.GPTJConfig(vocab_size=size(tokenizer), n_embd=WIDTH, n_layer=2, n_head=2, rotary_dim=4, n_positions=64, n_inner=24, bos_token_id=0, eos_token_id=0)
    folder = save(name, hf.GPTJModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "weightedmean"))
    expect(folder)


@model
def bloom(name):
    """Six heads: slopes beyond a power of two."""
    tokenizer = tokenizers.gpt()
    config = hf.BloomConfig(vocab_size=size(tokenizer), hidden_size=18, n_layer=2, n_head=6, bos_token_id=0, eos_token_id=0, pad_token_id=0)
    folder = save(name, hf.BloomModel(config), tokenizer)
    modules(folder, pooling(18, "weightedmean"))
    expect(folder)


DECODER = dict(hidden_size=WIDTH, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, intermediate_size=24, max_position_embeddings=512)


@model
def qwen2(name):
    tokenizer = tokenizers.closing()
    config = hf.Qwen2Config(vocab_size=size(tokenizer), **DECODER)
    folder = save(name, hf.Qwen2Model(config), tokenizer)
    modules(folder, pooling(WIDTH, "lasttoken"), NORMALIZE)
    expect(folder)


@model
def qwen2_both_directions(name):
    tokenizer = tokenizers.closing()
    config = hf.Qwen2Config(vocab_size=size(tokenizer), is_causal=False, **DECODER)
    folder = save(name, hf.Qwen2Model(config), tokenizer)
    modules(folder, pooling(WIDTH, "mean"), NORMALIZE)
    expect(folder)


@model
def qwen3(name):
    tokenizer = tokenizers.closing()
    config = hf.Qwen3Config(vocab_size=size(tokenizer), head_dim=6, **DECODER)
    folder = save(name, hf.Qwen3Model(config), tokenizer)
    modules(folder, pooling(WIDTH, "lasttoken"), NORMALIZE, prompts={"query": "Instruct: Find it\nQuery:"})
    expect(folder, prompts=True)


@model
def llama(name):
    """A language model without files of sentence-transformers: last token; Llama 3.1's scaling of positions."""
    tokenizer = tokenizers.byte_fallback()
    rope = dict(rope_type="llama3", rope_theta=500000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)
    config = hf.LlamaConfig(vocab_size=size(tokenizer), rope_parameters=rope, **DECODER)
    folder = save(name, hf.LlamaForCausalLM(config), tokenizer, tokenizer_length=60)
    expect(folder)


@model
def mistral(name):
    tokenizer = tokenizers.byte_fallback()
    config = hf.MistralConfig(vocab_size=size(tokenizer), sliding_window=8, **DECODER)
    folder = save(name, hf.MistralModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "lasttoken"), length=80)
    expect(folder)


@model
def gemma3(name):
    """Both directions, as EmbeddingGemma; two dense layers behind the pooling."""
    tokenizer = tokenizers.byte_fallback()
    config = hf.Gemma3TextConfig(vocab_size=size(tokenizer), head_dim=8, query_pre_attn_scalar=8, sliding_window=10, use_bidirectional_attention=True, sliding_window_pattern=2, **{**DECODER, "num_hidden_layers": 3})
    folder = save(name, hf.Gemma3TextModel(config), tokenizer)
    identity = "torch.nn.modules.linear.Identity"
    modules(folder, pooling(WIDTH, "mean"), dense(WIDTH, 24, identity, False, 4), dense(24, WIDTH, identity, False, 5), NORMALIZE, length=80)
    expect(folder)


@model
def gemma3_causal(name):
    tokenizer = tokenizers.byte_fallback()
    config = hf.Gemma3TextConfig(vocab_size=size(tokenizer), head_dim=8, query_pre_attn_scalar=8, sliding_window=10, sliding_window_pattern=2, **{**DECODER, "num_hidden_layers": 2})
    folder = save(name, hf.Gemma3TextModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "lasttoken"), length=80)
    expect(folder)


@model
def nomic_bert(name):
    """The configuration as its own repository has it."""
    tokenizer = tokenizers.word_piece()
    config = hf.NomicBertConfig(vocab_size=size(tokenizer), max_position_embeddings=128, **BERT)
    folder = save(name, hf.NomicBertModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "mean"))
    expect(folder)
    own = dict(n_embd=WIDTH, n_layer=2, n_head=4, n_inner=24, n_positions=128, rotary_emb_base=1000, rotary_emb_fraction=1.0)
    own.update(layer_norm_epsilon=1e-12, activation_function="swiglu", vocab_size=size(tokenizer), type_vocab_size=2)
    code = dict(AutoModel="modeling_hf_nomic_bert.NomicBertModel")
    write(folder / "config.json", {"architectures": ["NomicBertModel"], "auto_map": code, "model_type": "nomic_bert", **own})


@model
def gte(name):
    tokenizer = tokenizers.unigram()
    config = hf.GteConfig(vocab_size=size(tokenizer), max_position_embeddings=128, pad_token_id=1, **BERT)
    folder = save(name, hf.GteModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "cls"), NORMALIZE)
    expect(folder)


@model
def gte_own(name):
    """As its own repository has it, with fixed NTK scaling (https://kexue.fm/archives/9706), which transformers lacks."""
    tokenizer = tokenizers.unigram()
    config = hf.GteConfig(vocab_size=size(tokenizer), max_position_embeddings=128, pad_token_id=1, **BERT)
    folder = save(name, hf.GteModel(config), tokenizer)
    modules(folder, pooling(WIDTH, "cls"))
    heads, theta, factor = WIDTH // 4, 20000.0, 8.0
    slow = 1.0 / ((theta * factor) ** (torch.arange(0, heads, 2).float() / heads)) / factor ** (2 / heads)
    expect(folder, lambda network: network.rotary_emb.inv_freq.copy_(slow))
    own = dict(model_type="new", rope_theta=theta, rope_scaling=dict(type="ntk", factor=factor), layer_norm_type="layer_norm")
    own.update(auto_map=dict(AutoModel="modeling.NewModel"), architectures=["NewModel"], rope_parameters=None)
    edit(folder / "config.json", **own)


@model
def bert_vocab_txt(name):
    """A cased tokenizer in BERT's own file."""
    tokenizer = tokenizers.word_piece()
    config = hf.BertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, **BERT)
    folder = save(name, hf.BertModel(config), tokenizer)
    words = sorted(tokenizer[0].get_vocab().items(), key=lambda item: item[1])
    (folder / "vocab.txt").write_text("".join(word + "\n" for word, _ in words))
    (folder / "tokenizer.json").unlink()
    edit(folder / "tokenizer_config.json", do_lower_case=False)
    modules(folder, pooling(WIDTH, "mean"))
    expect(folder)


@model
def roberta_merges(name):
    tokenizer = tokenizers.roberta()
    config = hf.RobertaConfig(vocab_size=size(tokenizer), max_position_embeddings=50, pad_token_id=1, type_vocab_size=1, **BERT)
    folder = save(name, hf.RobertaModel(config), tokenizer)
    tokenizer[0].model.save(str(folder))
    (folder / "tokenizer.json").unlink()
    edit(folder / "tokenizer_config.json", tokenizer_class="RobertaTokenizer")
    modules(folder, pooling(WIDTH, "cls"))
    expect(folder)


def _pieces(folder, file, **more):
    """A model file of SentencePiece in place of the tokenizer.json."""
    (folder / file).write_bytes(tokenizers.sentence_pieces(**more))
    (folder / "tokenizer.json").unlink()


@model
def t5_pieces(name):
    config = hf.T5Config(vocab_size=320 + 100, d_model=WIDTH, d_kv=6, d_ff=24, num_layers=2, num_heads=4)
    folder = save(name, hf.T5EncoderModel(config), tokenizers.t5())
    _pieces(folder, "spiece.model", pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    edit(folder / "tokenizer_config.json", tokenizer_class="T5Tokenizer")
    modules(folder, pooling(WIDTH, "mean"), length=200)
    expect(folder)


@model
def xlm_roberta_pieces(name):
    config = hf.XLMRobertaConfig(vocab_size=320 + 2, max_position_embeddings=50, pad_token_id=1, type_vocab_size=1, **BERT)
    folder = save(name, hf.XLMRobertaModel(config), tokenizers.unigram())
    _pieces(folder, "sentencepiece.bpe.model", unk_id=0, bos_id=1, eos_id=2)
    edit(folder / "tokenizer_config.json", tokenizer_class="XLMRobertaTokenizer")
    modules(folder, pooling(WIDTH, "mean"))
    expect(folder)


@model
def words(name):
    """Averaged word vectors, a weight for each word, as GloVe and Komninos are used."""
    _words(name, [])


@model
def lstm(name):
    """Two layers in both directions with max pooling over word vectors: LASER's encoder."""
    from sentence_transformers.sentence_transformer.modules import LSTM

    torch.manual_seed(5)
    _words(name, [LSTM(embedding_dimension=12, hidden_dim=8, num_layers=2)])


def _words(name, steps):
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, WordEmbeddings, WordWeights
    from sentence_transformers.sentence_transformer.modules.tokenizer import WhitespaceTokenizer

    found = sorted({word.strip(".,;:!?()\"'") for text in TEXTS[:40] for word in text.split()} | {"the", "dan"})
    vocabulary = ["PADDING_TOKEN"] + [word for word in found if word][::2] + ["kapal", "merapi"]
    vocabulary = list(dict.fromkeys(vocabulary))
    vectors = torch.randn(len(vocabulary), 12, generator=torch.Generator().manual_seed(4))
    tokenizer = WhitespaceTokenizer(vocabulary, stop_words=["the", "a"], do_lower_case=False)
    first = WordEmbeddings(tokenizer, vectors)
    if not steps:
        weights = {word: 0.5 + index % 7 for index, word in enumerate(vocabulary) if index % 3}
        steps = [WordWeights(vocabulary, weights, unknown_word_weight=0.25)]
    whole = SentenceTransformer(modules=[first, *steps, Pooling(steps[-1].get_embedding_dimension() if hasattr(steps[-1], "hidden_dim") else 12, "max" if hasattr(steps[-1], "hidden_dim") else "mean")])
    folder = MODELS / name
    whole.save(str(folder), create_model_card=False)
    rows = SentenceTransformer(str(folder), device="cpu").encode(TEXTS, batch_size=8, convert_to_tensor=True)
    save_file({"rows": torch.where(rows.isfinite(), rows, 0.0).contiguous()}, folder / "expected.safetensors")


@model
def laser(name):
    """LASER 2 as its package laser_encoders 0.0.2 runs it; fairseq, which only other networks of it need, is left out."""
    import sys
    from unittest.mock import MagicMock

    for missing in ["fairseq", "fairseq.data", "fairseq.data.dictionary", "fairseq.models", "fairseq.models.transformer", "fairseq.modules"]:
        sys.modules.setdefault(missing, MagicMock())
    sys.modules["fairseq.models.transformer"].TransformerEncoder = object
    from laser_encoders.laser_tokenizer import LaserTokenizer
    from laser_encoders.models import LaserLstmEncoder, SentenceEncoder

    folder = MODELS / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "laser2.spm").write_bytes(tokenizers.sentence_pieces())
    tokenizer = LaserTokenizer(folder / "laser2.spm")
    pieces = [tokenizer.spm_encoder.id_to_piece(number) for number in range(len(tokenizer.spm_encoder))]
    # Ids of its own, and some pieces that the network never saw.
    names = ["<s>", "<pad>", "</s>", "<unk>"] + [piece for piece in reversed(pieces[3:]) if hash(len(piece)) % 5 != 4]
    dictionary = {piece: number for number, piece in enumerate(names)}
    shape = dict(num_embeddings=len(names), padding_idx=1, embed_dim=12, hidden_size=8, num_layers=2, bidirectional=True)
    network = LaserLstmEncoder(**shape)
    shake(network)
    torch.save({"params": shape, "model": network.state_dict(), "dictionary": dictionary}, folder / "laser2.pt")
    load = torch.load
    torch.load = lambda *args, **kwargs: load(*args, **{**kwargs, "weights_only": False})
    encoder = SentenceEncoder(folder / "laser2.pt", max_sentences=8, cpu=True)
    torch.load = load
    rows = encoder.encode_sentences([tokenizer(text) for text in TEXTS])
    save_file({"rows": torch.from_numpy(rows).contiguous()}, folder / "expected.safetensors")


@model
def static(name):
    """Static embeddings as model2vec keeps them: distinct vectors, a row for each token, a weight for each token."""
    tokenizer, _ = tokenizers.word_piece()
    folder = MODELS / name
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    generator = torch.Generator().manual_seed(6)
    count = tokenizer.get_vocab_size()
    tensors = {
        "embeddings": torch.randn(100, 24, generator=generator),
        "mapping": torch.randint(0, 100, (count,), generator=generator),
        "weights": torch.rand(count, generator=generator),
    }
    save_file(tensors, folder / "model.safetensors")
    kinds = ["StaticEmbedding", "Normalize"]
    write(folder / "modules.json", [{"idx": i, "name": str(i), "path": ["", "1_Normalize"][i], "type": f"sentence_transformers.models.{kind}"} for i, kind in enumerate(kinds)])
    expect(folder)


@model
def saved_by_release_6(name):
    """The files as the reference's own release lays them out."""
    from sentence_transformers import SentenceTransformer

    whole = SentenceTransformer(str(MODELS / "bert"), device="cpu")
    whole.save(str(MODELS / name), create_model_card=False)
    expect(MODELS / name)


def _classifier(name, model, tokenizer, **config):
    folder = save(name, model, tokenizer, tokenizer_length=40, **config)
    expect_scores(folder)


@model
def cross_bert(name):
    tokenizer = tokenizers.word_piece()
    config = hf.BertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, num_labels=1, **BERT)
    _classifier(name, hf.BertForSequenceClassification(config), tokenizer)


@model
def cross_xlm_roberta(name):
    tokenizer = tokenizers.unigram()
    config = hf.XLMRobertaConfig(vocab_size=size(tokenizer), max_position_embeddings=50, pad_token_id=1, type_vocab_size=1, num_labels=1, **BERT)
    activation = {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}}
    _classifier(name, hf.XLMRobertaForSequenceClassification(config), tokenizer, **activation)


@model
def cross_modernbert(name):
    tokenizer = tokenizers.modern()
    config = hf.ModernBertConfig(vocab_size=size(tokenizer), max_position_embeddings=128, num_labels=1, classifier_pooling="mean", cls_token_id=0, sep_token_id=1, pad_token_id=2, bos_token_id=0, eos_token_id=1, **BERT)
    _classifier(name, hf.ModernBertForSequenceClassification(config), tokenizer)


@model
def cross_distilbert(name):
    tokenizer = tokenizers.word_piece()
    config = hf.DistilBertConfig(vocab_size=size(tokenizer), max_position_embeddings=48, dim=WIDTH, n_layers=2, n_heads=4, hidden_dim=24, num_labels=1)
    _classifier(name, hf.DistilBertForSequenceClassification(config), tokenizer)


@model
def qwen3_reranker(name):
    """A language model that answers yes or no, asked as mteb's wrapper asks."""
    from mteb.models.model_implementations.qwen3_reranker import Qwen3RerankerWrapper

    tokenizer = tokenizers.chat()
    config = hf.Qwen3Config(vocab_size=size(tokenizer) + 6, head_dim=4, tie_word_embeddings=True, **{**DECODER, "max_position_embeddings": 1024})
    folder = save(name, hf.Qwen3ForCausalLM(config), tokenizer)
    asked = Qwen3RerankerWrapper(str(folder), device="cpu", max_length=8192, dtype=torch.float32)
    scores = []
    for query, document in pairs():
        for instruction in (None, "Judge well."):
            question = asked.format_instruction(instruction, query, document)
            scores.append(asked.compute_logits(asked.process_inputs([question]))[0])
    scores = torch.tensor(scores).reshape(-1, 2)
    save_file({"scores": scores[:, 0].contiguous(), "instructed": scores[:, 1].contiguous()}, folder / "expected.safetensors")
