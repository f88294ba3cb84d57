"""Encoders and vocabularies trained from scratch, as in the climate paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from tokenizers import AddedToken, Regex, Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordLevel
from torch import Tensor, nn

from claimscope.errors import ConfigurationError

PADDING, UNKNOWN, START, SEPARATOR = SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "<SEP>")
_PUNCTUATION = Regex(r"[!-/:-@\[-`{-~]")
CELLS = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}


@dataclass(frozen=True, slots=True)
class Scratch:
    """The size of an encoder that is not pretrained (climate paper, section 3.2).

    Feed-forward width and dropout are those of the authors' code. Its vocabulary is every word that
    it meets, 19,141 for the cross-encoder.
    """

    width: int = 1024
    layers: int = 2
    heads: int = 4
    head_width: int = 0
    """Width of an attention head; 0 divides the width among the heads, as in BERT. The authors'
    code gives each head the whole width."""
    feed_forward: int = 0
    """Width of the layer between attentions; 0 for the encoder's own."""
    vocabulary: int = 20_000
    dropout: float = 0.1

    def __post_init__(self) -> None:
        for name in ("width", "layers", "heads"):
            if getattr(self, name) < 1:
                raise ConfigurationError(f"The size {name} of a network must be at least 1.")


class Attention(nn.Module):
    """Multi-head attention whose heads share the width, or have one of their own.

    Unlike PyTorch's own it takes any number of heads: the paper compares 6 at width 1,024.
    """

    def __init__(self, width: int, heads: int, head_width: int = 0) -> None:
        super().__init__()
        self.heads = heads
        self.size = head_width or max(1, width // heads)
        inner = self.heads * self.size
        self.inputs = nn.Linear(width, 3 * inner)
        self.output = nn.Linear(inner, width)

    def forward(self, states: Tensor, hidden: Tensor) -> Tensor:
        """Let every token attend to all tokens that are not masked."""
        rows, tokens, _ = states.shape
        parts = self.inputs(states).view(rows, tokens, 3, self.heads, self.size)
        query, key, value = parts.permute(2, 0, 3, 1, 4).unbind(0)
        scores = query @ key.transpose(-1, -2) / math.sqrt(self.size)
        weights = torch.softmax(scores.masked_fill(hidden[:, None, None], -1e9), dim=-1)
        joined = (weights @ value).transpose(1, 2).reshape(rows, tokens, self.heads * self.size)
        given: Tensor = self.output(joined)
        return given


class Block(nn.Module):
    """Attention and a feed-forward layer, each with a residual connection and layer norm."""

    def __init__(self, size: Scratch) -> None:
        super().__init__()
        between = size.feed_forward or size.width
        self.attention = Attention(size.width, size.heads, size.head_width)
        self.first = nn.LayerNorm(size.width)
        self.feed = nn.Sequential(
            nn.Linear(size.width, between), nn.ReLU(), nn.Linear(between, size.width)
        )
        self.second = nn.LayerNorm(size.width)
        self.dropout = nn.Dropout(size.dropout)

    def forward(self, states: Tensor, hidden: Tensor) -> Tensor:
        """Give the states after the block."""
        states = self.first(states + self.dropout(self.attention(states, hidden)))
        given: Tensor = self.second(states + self.dropout(self.feed(states)))
        return given


class BlockEncoder(nn.Module):
    """Word and position embeddings, transformer blocks, global max pooling (section 2.2.3)."""

    def __init__(self, words: int, max_length: int, size: Scratch) -> None:
        super().__init__()
        self.words = nn.Embedding(words, size.width, padding_idx=0)
        self.positions = nn.Embedding(max_length, size.width)
        self.dropout = nn.Dropout(size.dropout)
        self.blocks = nn.ModuleList(Block(size) for _ in range(size.layers))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Give one vector per text."""
        places = torch.arange(ids.shape[1], device=ids.device)
        states = self.dropout(self.words(ids) + self.positions(places))
        for block in self.blocks:
            states = block(states, mask == 0)
        return max_pooled(states, mask)


class RecurrentEncoder(nn.Module):
    """Word embeddings, recurrent cells, global max pooling: what section 2.4 compares with."""

    def __init__(self, cell: str, words: int, size: Scratch) -> None:
        super().__init__()
        self.words = nn.Embedding(words, size.width, padding_idx=0)
        self.dropout = nn.Dropout(size.dropout)
        self.cells = CELLS[cell](size.width, size.width, size.layers, batch_first=True)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Give one vector per text; padding comes last, so no token before it sees it."""
        states, _ = self.cells(self.dropout(self.words(ids)))
        return max_pooled(states, mask)


def max_pooled(states: Tensor, mask: Tensor) -> Tensor:
    """Take the maximum of each dimension over all tokens except padding."""
    return states.masked_fill((mask == 0)[..., None], -1e9).amax(dim=1)


class PooledClassifier(nn.Module):
    """An encoder from scratch with one linear layer on what it pools."""

    def __init__(self, encoder: nn.Module, width: int, outputs: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = nn.Linear(width, outputs)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor | None = None) -> Tensor:
        """Give the outputs, one row per pair; which text a token belongs to is not used."""
        given: Tensor = self.head(self.encoder(ids, mask))
        return given


def word_tokenizer(texts: Iterable[str], size: int) -> Tokenizer:
    """Make a tokeniser of the commonest words in lower case, without punctuation.

    Other words are one unknown word. Equally common words are taken in the order of the alphabet,
    so that the same texts always give the same numbers. Pairs are laid out as
    [CLS] first <SEP> second <SEP>. "<SEP>" in a text is the same token, which parts the passages of
    a claim (section 2.2.4).
    """
    normalizer = normalizers.Sequence(
        [normalizers.Lowercase(), normalizers.Replace(_PUNCTUATION, "")]
    )
    cutter = pre_tokenizers.WhitespaceSplit()
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word, _ in cutter.pre_tokenize_str(normalizer.normalize_str(text)))
    common = sorted(counts, key=lambda word: (-counts[word], word))[: size - len(SPECIAL)]
    words = {word: number for number, word in enumerate((*SPECIAL, *common))}
    tokenizer = Tokenizer(WordLevel(words, unk_token=UNKNOWN))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = cutter
    tokenizer.post_processor = processors.BertProcessing(
        (SEPARATOR, words[SEPARATOR]), (START, words[START])
    )
    tokenizer.add_special_tokens([PADDING, UNKNOWN, START])
    # A special token is not read in texts when a model runs, so this one must be a plain token.
    tokenizer.add_tokens([AddedToken(SEPARATOR, normalized=False)])
    return tokenizer
