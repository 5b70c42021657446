"""The backend ``hf-tree``: all candidates of a prompt scored in one forward pass.

Importing this module registers it with the harness. Log-likelihoods take the first rung of a :class:`Ladder` that
serves them; generation, rolling likelihoods, encoder-decoders and what no rung can serve go to the parent, the
harness's ``hf``. The results file tells how many requests took which way, under ``config.hf_tree``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import torch
from lm_eval.api.model import TemplateLM
from lm_eval.api.registry import register_model
from lm_eval.models.huggingface import HFLM
from tqdm import tqdm  # type: ignore[import-untyped]

from crossfact.utils.errors import UserError
from crossfact.utils.head_slicing import Score
from crossfact.utils.ladder import Ladder
from crossfact.utils.pair_encoding import batch_encoder, encode_pairs
from crossfact.utils.tally import Tally, total
from crossfact.utils.trie import Pair

if TYPE_CHECKING:
    from lm_eval.api.instance import Instance

# Pairs given to the parent at once in a self-check.
CHECK_BATCH = 4


@register_model("hf-tree")
class TreeLM(HFLM):
    """The harness's Hugging Face model with faster log-likelihoods of many continuations per context.

    Subclasses that tokenize in their own way override ``_encode_pair`` (or ``tok_encode``), as with the parent.
    """

    def __init__(
        self,
        pretrained: Any,
        *,
        temperature: float = 1.0,
        pack_tokens: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Loads the model.

        Args:
            pretrained: as for the parent: a name, a path or a loaded model.
            temperature: logits are divided by it before the softmax of every step (log-likelihoods only).
            pack_tokens: tokens in one forward pass; by default chosen by the device.
            **kwargs: as for the parent. ``softmax_dtype`` is float32 unless given: bfloat16 makes ties.

        Raises:
            UserError: when an argument is not a positive number.
        """
        for name, value in (("temperature", temperature), ("pack_tokens", pack_tokens)):
            if value is not None and not (isinstance(value, int | float) and value > 0):
                raise UserError(f"hf-tree: {name} is {value!r}; give a positive number")
        if kwargs.get("softmax_dtype") is None:
            kwargs["softmax_dtype"] = "float32"
        super().__init__(pretrained, **kwargs)
        self._join_processes()
        self.temperature = float(temperature)
        self._parent = Tally()
        self._gathered: Tally | None = None
        self._ladder = (
            None
            if self.backend != "causal"
            else Ladder(
                self.model,
                self.device,
                self._forward,
                self._reference,
                dtypes=[self.mixed_precision_dtype or self.model.dtype, self.softmax_dtype],
                softmax_dtype=self.softmax_dtype,
                temperature=self.temperature,
                pack_tokens=pack_tokens,
            )
        )

    def _join_processes(self) -> None:
        """Splits the work over the processes of ``accelerate launch`` without GPUs too, which the parent does not."""
        if hasattr(self, "accelerator") and self.world_size == 1 and self.accelerator.num_processes > 1:
            self._rank, self._world_size = self.accelerator.process_index, self.accelerator.num_processes

    def loglikelihood(self, requests: list[Instance], disable_tqdm: bool = False) -> list[Score]:
        """Scores continuations; contexts are tokenized once, and texts in batches.

        Args:
            requests: the harness's instances; ``args`` is a context and a continuation.
            disable_tqdm: whether to hide the progress bar.

        Returns:
            For each request the log-likelihood in nats, and whether greedy decoding would give the continuation.
        """
        if self._ladder is None or self.enable_thinking:
            return super().loglikelihood(requests, disable_tqdm=disable_tqdm)
        texts = [request.args for request in requests]
        pairs = self._encode_pairs(texts)
        return self._loglikelihood_tokens(
            [(text, *pair) for text, pair in zip(texts, pairs, strict=True)], disable_tqdm
        )

    def _encode_pairs(self, texts: Sequence[tuple[str, str]]) -> list[Pair]:
        kind = type(self)
        if kind._encode_pair is TemplateLM._encode_pair and kind.tok_encode is HFLM.tok_encode:
            bos = self.tokenizer.decode(self.prefix_token_id)
            full = encode_pairs(
                [text for text in texts if text[0]], batch_encoder(self.tokenizer, self.add_bos_token, bos)
            )
        else:
            full = [self._encode_pair(*text) for text in texts if text[0]]
        encoded = iter(full)
        return [next(encoded) if context else self._encode_alone(continuation) for context, continuation in texts]

    def _encode_alone(self, continuation: str) -> Pair:
        """Encodes a continuation without a context as the parent does: the prefix token stands for the context."""
        tokens = tuple(self.tok_encode(continuation, add_special_tokens=False))
        prefix = self.prefix_token_id
        return (tokens[:1], tokens[1:]) if tokens[:1] == (prefix,) else ((prefix,), tokens)

    def _loglikelihood_tokens(
        self,
        requests: Sequence[tuple[Any, Sequence[int], Sequence[int]]],
        disable_tqdm: bool = False,
        override_bs: int | None = None,
    ) -> list[Score]:
        # Only rolling likelihoods bring their own batch size.
        if self._ladder is None or override_bs is not None:
            reason = "encoder-decoder" if self._ladder is None else "rolling likelihood"
            self._parent.reasons[reason] += len(requests)
            return self._ask_parent(requests, disable_tqdm, override_bs)
        pairs = [(tuple(context), tuple(continuation)) for _, context, continuation in requests]
        hidden = disable_tqdm or self.rank != 0
        with tqdm(total=len(pairs), disable=hidden, desc="Running loglikelihood requests") as bar:
            scores = self._ladder.score(pairs, self.max_length, bar.update)
        rest = [index for index in range(len(pairs)) if index not in scores]
        answers = self._ask_parent([requests[index] for index in rest], disable_tqdm, None)
        scores.update(zip(rest, answers, strict=True))
        for index, (text, _, _) in enumerate(requests):
            if text is not None:
                self.cache_hook.add_partial("loglikelihood", text, scores[index])
        return [scores[index] for index in range(len(requests))]

    def _ask_parent(self, requests: Sequence[Any], disable_tqdm: bool, override_bs: int | None) -> list[Score]:
        if not requests:
            return []
        self._parent.requests["parent"] += len(requests)
        listed = [(text, list(context), list(continuation)) for text, context, continuation in requests]
        return super()._loglikelihood_tokens(listed, disable_tqdm=disable_tqdm, override_bs=override_bs)

    def _reference(self, pairs: list[Pair]) -> list[Score]:
        requests = [(None, list(context), list(continuation)) for context, continuation in pairs]
        return super()._loglikelihood_tokens(requests, disable_tqdm=True, override_bs=CHECK_BATCH)

    def _forward(self, inputs: dict[str, Any]) -> torch.Tensor:
        """Runs the model as the parent's ``_model_call`` does, but with a mask and positions of our own."""
        precision = self.mixed_precision_dtype
        with (
            torch.no_grad(),
            torch.autocast(device_type=self.device.type, dtype=precision, enabled=precision is not None),
        ):
            return self.model(**inputs).logits

    def _model_call(self, *args: Any, **kwargs: Any) -> torch.Tensor:
        """The parent's forward pass, so that the temperature holds on its rung too."""
        logits = super()._model_call(*args, **kwargs)
        return logits if self.temperature == 1 else logits.to(self.softmax_dtype) / self.temperature

    def gather_object(self, obj: Any, dst: int = 0) -> list[Any] | None:
        """Gathers the harness's metrics from all processes, and our tallies with them."""
        gathered = super().gather_object((obj, self.tally), dst)
        if gathered is None:
            return None
        self._gathered = total(tally for _, tally in gathered)
        return [part for part, _ in gathered]

    @property
    def tally(self) -> Tally:
        """How this process served its requests."""
        return total([self._ladder.tally, self._parent] if self._ladder else [self._parent])

    def get_model_info(self) -> dict[str, Any]:
        """Describes the model for the results file, and how the requests of all processes were served."""
        return {**super().get_model_info(), "hf_tree": (self._gathered or self.tally).as_dict()}
