"""A small cross-encoder that onnxruntime really runs: it counts the words that both texts have."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from memoranda.models.onnx import VOCABULARY

INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def saved(place: Path, *, numbers: int = 1, scale: float = 1.0) -> Path:
    """Make a folder of it, as `optimum` does. It gives one number for a pair, or several.

    The last number is how many pieces of the question the text has, times `scale`; the others are
    that with the opposite sign.
    """
    place.mkdir()
    shutil.copy(VOCABULARY, place / "vocab.txt")
    node = helper.make_node
    nodes = [
        node("Unsqueeze", ["input_ids", "two"], ["of_question"]),
        node("Unsqueeze", ["input_ids", "one"], ["of_text"]),
        node("Equal", ["of_question", "of_text"], ["equal"]),
        node("Cast", ["equal"], ["same"], to=TensorProto.INT64),
        node("Sub", ["one", "token_type_ids"], ["first"]),
        node("Mul", ["first", "attention_mask"], ["question"]),
        node("Mul", ["token_type_ids", "attention_mask"], ["text"]),
        node("Unsqueeze", ["text", "one"], ["text_across"]),
        node("Mul", ["same", "text_across"], ["common"]),
        node("ReduceMax", ["common", "two"], ["has"], keepdims=0),
        node("Mul", ["has", "question"], ["counted"]),
        node("ReduceSum", ["counted", "one"], ["count"], keepdims=1),
        node("Cast", ["count"], ["number"], to=TensorProto.FLOAT),
        node("Mul", ["number", "scale"], ["for"]),
        node("Neg", ["for"], ["against"]),
        node("Concat", [*["against"] * (numbers - 1), "for"], ["logits"], axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "counting",
        [helper.make_tensor_value_info(each, TensorProto.INT64, ["n", "l"]) for each in INPUTS],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", numbers])],
        [
            numpy_helper.from_array(np.array([1], np.int64), "one"),
            numpy_helper.from_array(np.array([2], np.int64), "two"),
            numpy_helper.from_array(np.array([scale], np.float32), "scale"),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    onnx.checker.check_model(made)
    onnx.save(made, place / "model.onnx")
    return place
