"""Masks by architecture, and which architectures take them."""

from __future__ import annotations

import pytest
import torch
import transformers

from crossfact.utils.tree_mask import longest_path, tree_inputs, visible, why_no_tree
from crossfact.utils.trie import Limits, preorder, take_pack
from tests.utils.tiny_models import BASE, SLICED, TREE, WINDOW, tiny_model

PAIRS = [((1, 2), (3, 4)), ((1, 2), (5,)), ((6,), (7, 8))]


def test_a_node_sees_its_ancestors_and_itself() -> None:
    # nodes: 0 ─ 1 ─ 2, and 3 ─ 4 below 0, and a second root 5
    seen = visible(torch.tensor([5, 3, 3, 5, 5, 6]), torch.tensor([0, 1, 2, 1, 2, 0]), None)
    assert seen.int().tolist() == [
        [1, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [1, 1, 1, 0, 0, 0],
        [1, 0, 0, 1, 0, 0],
        [1, 0, 0, 1, 1, 0],
        [0, 0, 0, 0, 0, 1],
    ]


def test_a_window_counts_depth_not_place_in_the_pack() -> None:
    # node 4 lies four places behind its root but only two positions
    seen = visible(torch.tensor([5, 3, 3, 5, 5]), torch.tensor([0, 1, 2, 1, 2]), 2)
    assert seen[4].tolist() == [False, False, False, True, True]
    assert seen[3].tolist() == [True, False, False, True, False]


@pytest.mark.parametrize("name", TREE)
def test_these_architectures_take_tries(name: str) -> None:
    assert why_no_tree(tiny_model(name)) is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Bloom", "position_ids"),
        ("Mamba", "position_ids"),
        ("Jamba", "recurrent"),
        ("FalconH1", "recurrent"),
        ("Lfm2", "conv layers"),
    ],
)
def test_these_architectures_do_not(name: str, reason: str) -> None:
    assert set(SLICED) == {"Bloom", "Mamba", "Jamba", "FalconH1", "Lfm2"}
    assert reason in (why_no_tree(tiny_model(name)) or "")


def test_alibi_local_and_chunked_attention_and_flash_kernels_are_refused() -> None:
    falcon = transformers.FalconForCausalLM(
        transformers.FalconConfig(
            vocab_size=300, hidden_size=32, num_hidden_layers=1, num_attention_heads=4, alibi=True
        )
    )
    assert why_no_tree(falcon) == "its positions are ALiBi"
    neo = transformers.GPTNeoForCausalLM(
        transformers.GPTNeoConfig(
            vocab_size=300, hidden_size=32, num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]]
        )
    )
    assert why_no_tree(neo) == "it has local attention"
    llama = transformers.LlamaForCausalLM(transformers.LlamaConfig(**BASE))
    llama.config.attention_chunk_size = 4
    assert why_no_tree(llama) == "it has chunked attention"
    llama.config.attention_chunk_size = None
    llama.config._attn_implementation = "flash_attention_2"
    assert why_no_tree(llama) == "its attention is flash_attention_2"


def test_rope_that_depends_on_length_bounds_the_path() -> None:
    assert longest_path(tiny_model("Llama")) is None
    phi = transformers.Phi3Config(
        **BASE,
        original_max_position_embeddings=16,
        rope_parameters={
            "rope_type": "longrope",
            "rope_theta": 10000.0,
            "short_factor": [1.0] * 4,
            "long_factor": [2.0] * 4,
        },
    )
    assert longest_path(transformers.Phi3ForCausalLM(phi)) == 16


def test_inputs_of_one_pass() -> None:
    pack = take_pack(PAIRS, preorder(PAIRS), 0, Limits(100, 100, 100))
    inputs = tree_inputs(tiny_model("Llama"), pack, torch.device("cpu"))
    assert inputs["input_ids"].tolist() == [[1, 2, 3, 6, 7]]
    assert inputs["position_ids"].tolist() == [[0, 1, 2, 0, 1]]
    assert inputs["attention_mask"].shape == (1, 1, 5, 5)
    assert inputs["attention_mask"].dtype == torch.bool


def test_mixed_layers_get_a_mask_each() -> None:
    pairs = [(tuple(range(1, 10)), (3, 4))]
    pack = take_pack(pairs, preorder(pairs), 0, Limits(100, 100, 100))
    masks = tree_inputs(tiny_model("Gemma3Text"), pack, torch.device("cpu"))["attention_mask"]
    assert set(masks) == {"sliding_attention", "full_attention"}
    assert int(masks["full_attention"][0, 0, -1].sum()) == 10
    assert int(masks["sliding_attention"][0, 0, -1].sum()) == WINDOW


def test_eager_attention_adds_its_mask() -> None:
    pack = take_pack(PAIRS, preorder(PAIRS), 0, Limits(100, 100, 100))
    mask = tree_inputs(tiny_model("Llama", "eager"), pack, torch.device("cpu"))["attention_mask"]
    assert mask.dtype == torch.float32
    assert mask[0, 0, 3].tolist() == [mask.min()] * 3 + [0.0, mask.min()]
