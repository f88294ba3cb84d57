"""A tokeniser of whole words, made from the texts a network from scratch learns from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import WordLevel

PADDING, UNKNOWN, START, SEPARATOR = SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def word_tokenizer(texts: Iterable[str], size: int) -> Tokenizer:
    """Make a tokeniser of the commonest words in lower case; other words are one unknown word.

    Equally common words are taken in the order of the alphabet, so that the same texts always give
    the same numbers. Pairs are laid out as BERT's: [CLS] first [SEP] second [SEP].
    """
    normalizer, cutter = normalizers.Lowercase(), pre_tokenizers.BertPreTokenizer()
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
    tokenizer.add_special_tokens(list(SPECIAL))
    return tokenizer
