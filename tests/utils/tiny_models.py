"""Tiny random models of many architectures and a tokenizer to go with them, built from configurations, offline."""

from __future__ import annotations

import functools
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

VOCABULARY = 300
WINDOW = 6

BASE: dict[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "head_dim": 8,
    "initializer_range": 0.3,  # large enough for scores to depend on every token
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
MOE: dict[str, Any] = {"num_experts": 4, "num_local_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32}
MIXED = ["sliding_attention", "full_attention", "sliding_attention"]

# Architecture -> arguments of its configuration beyond BASE.
TREE: dict[str, dict[str, Any]] = {
    "Llama": {},
    "Qwen2": {},
    "Qwen3": {"use_sliding_window": True, "sliding_window": WINDOW, "max_window_layers": 1},
    "Qwen3Moe": {**MOE, "mlp_only_layers": [], "decoder_sparse_step": 1},
    "Mistral": {"sliding_window": WINDOW},
    "Phi3": {"sliding_window": WINDOW},
    "Gemma2": {"sliding_window": WINDOW, "final_logit_softcapping": 2.0, "query_pre_attn_scalar": 8},
    "Gemma3Text": {"sliding_window": WINDOW, "layer_types": MIXED, "query_pre_attn_scalar": 8},
    "GPT2": {},
    "GPTNeoX": {"rotary_pct": 0.5},
    "OPT": {},
    "Granite": {"logits_scaling": 8.0},
    "Cohere": {"logit_scale": 0.0625},
    "Olmo2": {},
    "GptOss": {**MOE, "sliding_window": WINDOW, "layer_types": MIXED},
}
GPT2: dict[str, Any] = {"n_positions": 128, "n_embd": 32, "n_layer": 3, "n_head": 4}
OPT: dict[str, Any] = {"ffn_dim": 64, "word_embed_proj_dim": 32, "init_std": 0.3}
MAMBA: dict[str, Any] = {"state_size": 8, "conv_kernel": 4, "expand": 2}
SLICED: dict[str, dict[str, Any]] = {
    "Bloom": {"n_layer": 3, "n_head": 4},
    "Mamba": MAMBA,
    "Jamba": {**MOE, "attn_layer_period": 2, "attn_layer_offset": 1, "use_mamba_kernels": False, "mamba_d_state": 8},
    "FalconH1": {"mamba_d_ssm": 32, "mamba_n_heads": 4, "mamba_d_head": 8, "mamba_d_state": 8, "mamba_n_groups": 1},
    "Lfm2": {"layer_types": ["conv", "full_attention", "conv"]},
}
# Keys of BASE that an architecture's real configurations lack; code must not count on them.
FOREIGN = {"Mamba": ("num_attention_heads", "num_key_value_heads", "head_dim", "max_position_embeddings")}
CLASSES = {"Gemma3Text": "Gemma3ForCausalLM", "GPT2": "GPT2LMHeadModel"}


@functools.cache
def tiny_model(name: str, attention: str | None = None) -> Any:
    """Returns a random float32 model of an architecture."""
    torch.manual_seed(0)
    extra = {"GPT2": GPT2, "OPT": OPT}.get(name, {})
    given = {**BASE, **extra, **TREE.get(name, {}), **SLICED.get(name, {})}
    for unknown in FOREIGN.get(name, ()):
        del given[unknown]
    config = getattr(transformers, f"{name}Config")(**given)
    if attention:
        config._attn_implementation = attention
    model = getattr(transformers, CLASSES.get(name, f"{name}ForCausalLM"))(config).eval()
    return model


@functools.cache
def tiny_tokenizer() -> Any:
    """Returns a byte-pair tokenizer that adds a BOS token and merges across word boundaries."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("|", "removed")
    text = [
        "The capital of Italy is Rome",
        "The capital of France is Paris",
        "is Paris",
        "is Rome",
        "of Spain is Madrid",
    ]
    # 40 tokens leave few merges: "is " is one of them, whole sentences are none
    trainer = trainers.BpeTrainer(vocab_size=40, special_tokens=["<s>", "<unk>"], show_progress=False)
    tokenizer.train_from_iterator(text * 3, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="<s>", unk_token="<unk>", pad_token="<s>"
    )
