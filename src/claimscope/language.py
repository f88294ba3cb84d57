"""Says whether a short text looks like English, by the words and letters it has.

A claim is too short for statistics of letters, so words are counted that one language has and
English has not: function words, and the verbs that claims are made with.
"""

from __future__ import annotations

import unicodedata

# Words that are not English, and no part of names or of Latin terms in English texts.
_FOREIGN = frozenset(
    """das dass daß dem ein eine einen einem einer eines und oder nicht kein keine keinen
    ist sind wird werden wurde kann können durch für gegen mit vom zum zur bei beim nach auf
    aus über unter sich auch nur sehr mehr weniger als wie wenn
    senkt senken erhöht erhöhen verursacht verursachen verringert verringern verhindert
    verhindern verbessert verbessern schützt schützen hilft helfen heilt heilen macht wirkt
    schadet steigert führt reduziert vermindert beugt schwächt stärkt fördert
    une est sont dans avec aux qui que peut peuvent chez leur leurs moins
    entre contre cette ainsi être réduit réduisent augmente augmentent provoque provoquent
    améliore prévient protège protègent diminue causent guérit favorise empêche
    una las por más menos también puede pueden hace según contra muy esta
    causan reducen aumenta aumentan previene previenen protege protegen mejora mejoran
    disminuye provocan ayuda riesgo
    gli della delle dei degli nel nella sono che è può possono dal dalla alla nei anche
    riduce riducono causano protegge previene migliora provoca provocano aumentano aiuta rischio
    uma não são pelo pela das ao aos reduz reduzem aumentam evita protege melhora
    risco mais
    het een niet zijn wordt worden voor tegen bij naar ook geen veroorzaakt veroorzaken verlaagt
    verhoogt vermindert voorkomt beschermt verbetert helpt werkt risico
    och är inte för på att som minskar ökar orsakar skyddar ett
    og ikke forårsager øger reduserer reduserar forhindrer beskytter
    jest nie się przez oraz powoduje zmniejsza zwiększa chroni przed
    aiheuttaa vähentää lisää
    este și cauzează
    bir azaltır artırır neden olur
    nem és egy okoz csökkenti növeli""".split()
)
# Words of other languages that names and terms in English texts have, too: "van der Waals".
_AMBIGUOUS = frozenset(
    """der die im zu des le la les du de au et il el los del di da do os se y o e van von op te
    om non para pour sin con es aide cura pas sur dos er det av til em ou com pe kan den
    como""".split()
)
# English words that the other languages here do not have; "in" or "a" tell nothing.
_ENGLISH = frozenset(
    """the of and to that for with were are be been by not this these which or from have has had
    but than does can may will after before between more less their its there who when into during
    among through causes reduces increases lowers prevents improves""".split()
)
# Terms that keep their accents in English.
_BORROWED = frozenset("naïve naïveté café à née déjà façade résumé rôle über".split())
# Two of them are a name ("Gilles de la Tourette"), three are a language.
_HALF_SURE = 0.4
_MARKS = ".,;:!?()[]'\"“”‘’«»„…–-"


def looks_english(text: str) -> bool:
    """Say whether a text may be English; one that shows no sign of any language may."""
    letters = [character for character in text if character.isalpha()]
    latin = sum("LATIN" in unicodedata.name(character, "") for character in letters)
    if latin < len(letters) / 2:
        return False
    words = [word.strip(_MARKS) for part in text.split() for word in part.split("'")]
    foreign = sum(_foreignness(word) for word in words)
    english = sum(word.casefold() in _ENGLISH for word in words)
    return foreign < 1 or foreign <= english


def _foreignness(word: str) -> float:
    lower = word.casefold()
    if word.isupper():
        return 0
    if lower in _FOREIGN:
        return 1
    if word.islower() and word not in _BORROWED and _has_accent(word):
        return 1
    return _HALF_SURE if lower in _AMBIGUOUS else 0


def _has_accent(word: str) -> bool:
    """Say whether a word has Latin letters that English words have not."""
    return any(
        "LATIN" in unicodedata.name(letter, "") and not letter.isascii()
        for letter in word
        if letter not in "ªº"
    )
