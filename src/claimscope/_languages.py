"""Gives each language one code, whichever code or name a record uses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_ISO_639 = """
    aa aar Afar; ab abk Abkhazian; ae ave Avestan; af afr Afrikaans; ak aka Akan; am amh Amharic; an
    arg Aragonese; ar ara Arabic; as asm Assamese; av ava Avaric; ay aym Aymara; az aze Azerbaijani;
    ba bak Bashkir; be bel Belarusian; bg bul Bulgarian; bi bis Bislama; bm bam Bambara; bn ben
    Bengali; bo bod tib Tibetan; br bre Breton; bs bos Bosnian; ca cat Catalan; ce che Chechen; ch
    cha Chamorro; co cos Corsican; cr cre Cree; cs ces cze Czech; cu chu Church Slavic; cv chv
    Chuvash; cy cym wel Welsh; da dan Danish; de deu ger German; dv div Divehi; dz dzo Dzongkha; ee
    ewe Ewe; el ell gre Greek; en eng English; eo epo Esperanto; es spa Spanish; et est Estonian; eu
    eus baq Basque; fa fas per Persian; ff ful Fulah; fi fin Finnish; fj fij Fijian; fo fao Faroese;
    fr fra fre French; fy fry Western Frisian; ga gle Irish; gd gla Scottish Gaelic; gl glg
    Galician; gn grn Guarani; gu guj Gujarati; gv glv Manx; ha hau Hausa; he heb Hebrew; hi hin
    Hindi; ho hmo Hiri Motu; hr hrv Croatian; ht hat Haitian; hu hun Hungarian; hy hye arm Armenian;
    hz her Herero; ia ina Interlingua; id ind Indonesian; ie ile Interlingue; ig ibo Igbo; ii iii
    Sichuan Yi; ik ipk Inupiaq; io ido Ido; is isl ice Icelandic; it ita Italian; iu iku Inuktitut;
    ja jpn Japanese; jv jav Javanese; ka kat geo Georgian; kg kon Kongo; ki kik Kikuyu; kj kua
    Kuanyama; kk kaz Kazakh; kl kal Kalaallisut; km khm Khmer; kn kan Kannada; ko kor Korean; kr kau
    Kanuri; ks kas Kashmiri; ku kur Kurdish; kv kom Komi; kw cor Cornish; ky kir Kyrgyz; la lat
    Latin; lb ltz Luxembourgish; lg lug Ganda; li lim Limburgan; ln lin Lingala; lo lao Lao; lt lit
    Lithuanian; lu lub Luba-Katanga; lv lav Latvian; mg mlg Malagasy; mh mah Marshallese; mi mri mao
    Maori; mk mkd mac Macedonian; ml mal Malayalam; mn mon Mongolian; mr mar Marathi; ms msa may
    Malay; mt mlt Maltese; my mya bur Burmese; na nau Nauru; nb nob Norwegian Bokmål; nd nde North
    Ndebele; ne nep Nepali; ng ndo Ndonga; nl nld dut Dutch; nn nno Norwegian Nynorsk; no nor
    Norwegian; nr nbl South Ndebele; nv nav Navajo; ny nya Chichewa; oc oci Occitan; oj oji Ojibwa;
    om orm Oromo; or ori Oriya; os oss Ossetian; pa pan Punjabi; pi pli Pali; pl pol Polish; ps pus
    Pashto; pt por Portuguese; qu que Quechua; rm roh Romansh; rn run Rundi; ro ron rum Romanian; ru
    rus Russian; rw kin Kinyarwanda; sa san Sanskrit; sc srd Sardinian; sd snd Sindhi; se sme
    Northern Sami; sg sag Sango; sh hbs Serbo-Croatian; si sin Sinhala; sk slk slo Slovak; sl slv
    Slovenian; sm smo Samoan; sn sna Shona; so som Somali; sq sqi alb Albanian; sr srp Serbian; ss
    ssw Swati; st sot Southern Sotho; su sun Sundanese; sv swe Swedish; sw swa Swahili; ta tam
    Tamil; te tel Telugu; tg tgk Tajik; th tha Thai; ti tir Tigrinya; tk tuk Turkmen; tl tgl
    Tagalog; tn tsn Tswana; to ton Tonga; tr tur Turkish; ts tso Tsonga; tt tat Tatar; tw twi Twi;
    ty tah Tahitian; ug uig Uyghur; uk ukr Ukrainian; ur urd Urdu; uz uzb Uzbek; ve ven Venda; vi
    vie Vietnamese; vo vol Volapük; wa wln Walloon; wo wol Wolof; xh xho Xhosa; yi yid Yiddish; yo
    yor Yoruba; za zha Zhuang; zh zho chi Chinese; zu zul Zulu;
    mul Multiple languages
"""
"""The codes of ISO 639-1 and 639-2, terminological and bibliographic, and the English name."""

_OTHERS = {
    "en": "american british canadian australian newzealand usenglish ukenglish",
    "de": "ngerman austrian naustrian nswissgerman swissgerman",
    "pt": "brazilian brazil",
    "fa": "farsi",
    "es": "castilian",
    "nl": "flemish",
    "zh": "mandarin",
    "hr": "scr",
    "sr": "scc",
}
"""Names that BibLaTeX uses, codes that ISO 639 used before, and other names, by code."""

_UNKNOWN = frozenset({"und", "zxx", "mis", "unknown", "undetermined", "unspecified"})
_REGION = re.compile(r"[-_(\s].*", re.DOTALL)
_LIST = re.compile(r"[;,/|]")


def _entries() -> Iterator[tuple[str, list[str], str]]:
    """Give the shortest code of every language, all its codes, and its name."""
    for entry in _ISO_639.split(";"):
        words = entry.split()
        codes = [word for word in words if word.islower()]
        yield codes[0], codes, " ".join(words[len(codes) :])


_NAMES = {code: name for code, _, name in _entries()}
_CODES = {
    spelling: code
    for code, codes, name in _entries()
    for spelling in (*codes, name.casefold(), *_OTHERS.get(code, "").split())
}


def normalise_language(text: str | None) -> str | None:
    """Give the ISO 639-1 code of a language, or several joined by "; "; unknown words stay."""
    text = (text or "").strip()
    if not text or text.casefold() in _UNKNOWN:
        return None
    if (code := _code(text)) is not None:
        return code
    codes = [_code(part.strip()) for part in _LIST.split(text) if part.strip()]
    known = [code for code in codes if code is not None]
    return "; ".join(dict.fromkeys(known)) if known and len(known) == len(codes) else text


def language_name(language: str) -> str:
    """Give the English name of a language, for people to read; unknown words stay."""
    codes = (normalise_language(language) or language).split("; ")
    return "; ".join(_NAMES.get(code, code) for code in codes)


def _code(text: str) -> str | None:
    """Look a language up by its code or name, and then without its region, as in "en-US"."""
    key = text.casefold()
    return _CODES.get(key) or _CODES.get(_REGION.sub("", key))


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
