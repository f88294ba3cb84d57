"""The ONNX backend gives what the PyTorch backend gives."""

import json
from pathlib import Path
from shutil import copyfile

import pytest

from claimscope.errors import ConfigurationError
from claimscope.models.onnx_models import OnnxPairScorer
from claimscope.models.scorer import Pair
from tests.tiny_models import REASON, TinyModels

torch = pytest.importorskip("torch", reason=REASON)
transformers = pytest.importorskip("transformers", reason=REASON)
pytest.importorskip("onnx", reason="this test exports a model: pip install '.[train]'")

pytestmark = pytest.mark.filterwarnings("ignore")  # of the exporter, about itself

PAIRS = [
    Pair("aspirin lowers the risk", "aspirin lowered the risk of heart attack in a trial."),
    Pair("statins", "cholesterol"),
]


@pytest.fixture(scope="module")
def exported(tiny: TinyModels, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("onnx")
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        tiny.pair_three, attn_implementation="eager"
    ).eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    axes = {name: {0: "batch", 1: "length"} for name in names}
    example = torch.ones(2, 8, dtype=torch.long)

    class Plain(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: object, mask: object, types: object) -> object:
            return self.model(input_ids=ids, attention_mask=mask, token_type_ids=types).logits

    torch.onnx.export(
        Plain(),
        (example, example, example * 0),
        str(folder / "model.onnx"),
        input_names=names,
        output_names=["logits"],
        dynamic_axes={**axes, "logits": {0: "batch"}},
        dynamo=False,
    )
    for name in ("config.json", "tokenizer.json"):
        copyfile(tiny.pair_three / name, folder / name)
    return folder


def test_it_agrees_with_torch(exported: Path, tiny: TinyModels) -> None:
    models = tiny.models(threads=1)
    models.locator = type(models.locator)({"verisci-label": exported})
    onnx = models.scorer("verisci-label")
    assert isinstance(onnx, OnnxPairScorer)
    assert onnx.labels == ("CONTRADICT", "NEI", "SUPPORT")
    expected = tiny.models().scorer("verisci-label").logits(PAIRS)
    assert onnx.logits(PAIRS) == pytest.approx(expected, abs=1e-4)


def test_a_missing_file_is_named(exported: Path, tiny: TinyModels, tmp_path: Path) -> None:
    copyfile(exported / "model.onnx", tmp_path / "model.onnx")
    (tmp_path / "config.json").write_text(json.dumps({"id2label": {"0": "a"}}))
    with pytest.raises(ConfigurationError, match=r"lacks tokenizer\.json"):
        tiny.models().scorer(str(tmp_path))
