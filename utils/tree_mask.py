"""Attention masks for token tries, by architecture, and which architectures can take them.

A node sees its ancestors and itself, never its siblings; its position is its depth. Layers with a sliding window see
only the ancestors at a depth distance below the window: a 4D mask replaces the model's own mask, window included.
"""

from __future__ import annotations

import inspect
from typing import Any

import torch

from crossfact.utils.trie import Pack

# Their kernels take the mask as given; flash and flex attention do not.
ATTENTION = frozenset({"eager", "sdpa"})
LAYERS = frozenset({"full_attention", "sliding_attention"})
# These rotary embeddings change with the longest position of a pass, so that pairs would influence one another.
LENGTH_DEPENDENT_ROPE = frozenset({"dynamic", "longrope"})


def _text_config(model: Any) -> Any:
    return model.config.get_text_config()


def why_no_tree(model: Any) -> str | None:
    """Tells why a model cannot score a trie in one pass, from its configuration.

    Args:
        model: a causal language model of transformers, possibly wrapped by PEFT.

    Returns:
        The reason, or None when nothing speaks against it (the self-check has the last word).
    """
    config = _text_config(model)
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    odd = set(getattr(config, "layer_types", None) or ()) - LAYERS
    reasons = {
        "it takes no position_ids": "position_ids" not in inspect.signature(base.forward).parameters,
        "it has recurrent layers": any(getattr(module, "_is_stateful", False) for module in model.modules()),
        f"it has {', '.join(sorted(odd))} layers": bool(odd),
        "it has chunked attention": getattr(config, "attention_chunk_size", None) is not None,
        "it has local attention": "local" in (getattr(config, "attention_layers", None) or ()),
        "its positions are ALiBi": bool(getattr(config, "alibi", False)),
        f"its attention is {config._attn_implementation}": config._attn_implementation not in ATTENTION,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def longest_path(model: Any) -> int | None:
    """Returns the longest path in tokens that may share a pass, or None when the model sets no bound."""
    config = _text_config(model)
    rope = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    nested = [value for value in rope.values() if isinstance(value, dict)]
    bounds = [
        part.get("original_max_position_embeddings")
        or getattr(config, "original_max_position_embeddings", None)
        or config.max_position_embeddings
        for part in nested or [rope]
        if part.get("rope_type") in LENGTH_DEPENDENT_ROPE
    ]
    return min(bounds) if bounds else None


def visible(ends: torch.Tensor, depths: torch.Tensor, window: int | None) -> torch.Tensor:
    """Tells which nodes see which.

    Args:
        ends: one past the last descendant of each node, shape [nodes].
        depths: shape [nodes].
        window: how many positions back a layer sees, itself included; None for all.

    Returns:
        A boolean tensor of shape [nodes, nodes]: row = the node that looks, column = the node that is seen.
    """
    nodes = torch.arange(len(ends), device=ends.device)
    seen = (nodes[None, :] <= nodes[:, None]) & (nodes[:, None] < ends[None, :])
    if window is not None:
        seen &= depths[:, None] - depths[None, :] < window
    return seen


def tree_inputs(model: Any, pack: Pack, device: torch.device) -> dict[str, Any]:
    """Builds the keyword arguments of one forward pass over a pack.

    Args:
        model: a model for which :func:`why_no_tree` found no reason.
        pack: the tries.
        device: where the model takes its inputs.

    Returns:
        ``input_ids`` and ``position_ids`` of shape [1, nodes], and ``attention_mask`` of shape [1, 1, nodes, nodes],
        or one such mask by kind of layer where kinds are mixed.
    """
    config = _text_config(model)
    depths = torch.tensor(pack.depths, device=device)
    ends = torch.tensor(pack.ends, device=device)
    kinds = set(getattr(config, "layer_types", None) or ())
    window = getattr(config, "sliding_window", None)
    # Without `layer_types` a window in the configuration holds in every layer (Mistral, Phi3).
    windows = {kind: window if kind == "sliding_attention" else None for kind in kinds} or {"all": window}
    masks = {kind: _as_mask(model, config, visible(ends, depths, width)) for kind, width in windows.items()}
    return {
        "input_ids": torch.tensor([pack.tokens], device=device),
        "position_ids": depths[None],
        "attention_mask": masks if len(masks) > 1 else next(iter(masks.values())),
    }


def _as_mask(model: Any, config: Any, seen: torch.Tensor) -> torch.Tensor:
    """Booleans for SDPA (a quarter of the memory, and autocast leaves them alone); eager attention adds its mask."""
    if config._attn_implementation == "sdpa":
        return seen[None, None]
    mask = torch.zeros(seen.shape, dtype=model.dtype, device=seen.device)
    return mask.masked_fill_(~seen, torch.finfo(model.dtype).min)[None, None]
