from pathlib import Path

import pytest

from claimscope.errors import ConfigurationError, UnknownNameError
from claimscope.pipeline import preset
from claimscope.pipeline.registry import Resources, build
from claimscope.pipeline.stage import Kind

CUT_ONLY = '[[stages]]\nkind = "rerank"\nname = "cut"\n'


def test_every_preset_of_the_package_can_be_read() -> None:
    assert preset.DEFAULT_PRESET in preset.names()
    for name in preset.names():
        assert preset.load(name).summary.endswith(".")


def test_an_unknown_preset_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="lexical-baseline"):
        preset.load("nope")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stages = 3", r"no \[\[stages\]\]"),
        ("", r"no \[\[stages\]\]"),
        ("what = [", "not valid TOML"),
        (f"colour = 1\n{CUT_ONLY}", "unknown key 'colour'"),
        ('[[stages]]\nkind = "rerank"', "lacks the key 'name'"),
        ('[[stages]]\nkind = "paint"\nname = "x"', "kind of stage named 'paint'"),
    ],
)
def test_a_broken_preset_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises((ConfigurationError, UnknownNameError), match=message):
        preset.parse(text, name="mine", where="mine.toml")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"depth": 3}, r"no parameter 'depth'; its parameters are: k"),
        ({"k": "three"}, r"'k' of stage rerank\.cut must be int, not 'three'"),
        ({"k": True}, "must be int, not True"),
        ({"k": 0}, "at least 1, not 0"),
    ],
)
def test_parameters_are_checked(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        build(Kind.RERANK, "cut", parameters, Resources())


def test_a_whole_number_is_good_for_a_fraction() -> None:
    assert build(Kind.DECIDE, "strongest", {"threshold": 1}, Resources())


def test_an_unknown_stage_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match=r"any-evidence, .*strongest"):
        build(Kind.DECIDE, "coin-flip", {}, Resources())


def test_a_missing_resource_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"retrieve\.bm25 needs a library"):
        build(Kind.RETRIEVE, "bm25", {}, Resources())


def test_a_preset_file_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'summary = "Mine."\n{CUT_ONLY}k = 4\n')
    loaded = preset.load(str(path))
    assert loaded.name == "mine"
    assert loaded.stages[0].parameters == {"k": 4}
    with pytest.raises(ConfigurationError, match="no preset file"):
        preset.load(str(path.with_name("other.toml")))


def test_a_stage_of_another_version_is_refused() -> None:
    text = '[[stages]]\nkind = "retrieve"\nname = "bm25@2"\nk = 3\n'
    newer = preset.parse(text, name="newer", where="newer.toml")
    with pytest.raises(ConfigurationError, match=r"version 2 of stage retrieve\.bm25"):
        newer.build(Resources())


def test_presets_of_the_package_name_the_version_of_every_stage() -> None:
    stages = [stage for name in preset.names() for stage in preset.load(name).stages]
    assert all(stage.version for stage in stages)
