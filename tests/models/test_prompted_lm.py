"""The prompted language model: the same seed the same answer, long conversations cut from the front."""

import pytest
import torch
from msgspec.structs import replace

from empathic.decoding import Decoding
from empathic.dialogue import Request, Turn
from empathic.models.backbone import Backbone
from empathic.models.prompted_lm import CHATTING, PromptedLM, _Continuing, _Heard

REQUEST = Request((Turn("speaker", "I failed my driving test again."),))


def answer(responder: PromptedLM, request: Request = REQUEST, seed: int = 0) -> str:
    return "".join(responder.respond(request, seed=seed))


def test_the_same_seed_gives_the_same_answer_and_another_another(backbone: Backbone) -> None:
    responder = PromptedLM(backbone, decoding=replace(CHATTING, temperature=1.0, longest=12))
    assert answer(responder) == answer(responder)
    assert len({answer(responder, seed=seed) for seed in range(4)}) > 1


def test_greedy_answers_are_those_of_transformers_own_decoding(backbone: Backbone) -> None:
    responder = PromptedLM(backbone, instruction="Be kind.", decoding=Decoding(longest=16))
    prompt = backbone.prompt(
        [{"role": "system", "content": "Be kind."}, {"role": "user", "content": REQUEST.context[0].text}]
    )
    generated = backbone.model.generate(torch.tensor([prompt]), max_new_tokens=16, do_sample=False)[0, len(prompt) :]
    assert answer(responder) == backbone.tokenizer.decode(generated.tolist())


def test_what_goes_on_apart_from_one_prompt_is_scored_as_if_it_were_read_alone(backbone: Backbone) -> None:
    *heard, begin = PromptedLM(backbone)._prompt(REQUEST)
    model, memory = _Continuing(backbone, begin), _Heard(heard)
    with torch.inference_mode():
        model.step(torch.tensor([begin]), memory)
        memory.select(torch.tensor([0, 0, 0]))
        model.step(torch.tensor([100, 200, 300]), memory)
        memory.select(torch.tensor([2, 0]))
        scores = model.step(torch.tensor([400, 500]), memory).softmax(1)
        for row, said in enumerate(([300, 400], [100, 500])):
            alone = backbone.model(torch.tensor([[*heard, begin, *said]])).logits[0, -1].softmax(0)
            ends = sorted(backbone.stop)
            assert torch.allclose(scores[row, 10:], alone[10:], rtol=1e-3, atol=1e-7)
            assert scores[row, ends].tolist() == pytest.approx([alone[ends].sum().item(), 0, 0], rel=1e-3)


def test_an_answer_ends_with_its_sentence_once_it_is_long_enough(backbone: Backbone) -> None:
    text = answer(PromptedLM(backbone, decoding=replace(CHATTING, temperature=0), enough=3))
    assert text.rstrip()[-1] in ".!?"
    assert len(backbone.tokenizer.encode(text).ids) < 60


def test_a_conversation_longer_than_the_model_attends_to_loses_its_beginning(backbone: Backbone) -> None:
    short = Backbone("short", backbone.model, backbone.tokenizer, backbone.chat_template, backbone.stop, longest=160)
    responder = PromptedLM(short, decoding=replace(CHATTING, longest=8))
    turns = tuple(Turn("listener" if i % 2 else "speaker", f"This is what I said as number {i}.") for i in range(41))
    prompt = backbone.tokenizer.decode(responder._prompt(Request(turns)), skip_special_tokens=False)
    assert "number 40." in prompt
    assert "number 3." not in prompt
    assert responder.instruction in prompt
    assert answer(responder, Request(turns)).strip()


def test_a_turn_longer_than_all_there_is_room_for_keeps_its_end_and_the_instruction(backbone: Backbone) -> None:
    responder = PromptedLM(backbone, remembered=160)
    endless = responder._prompt(Request((Turn("speaker", "and then " * 50_000 + "it rained"),)))
    prompt = backbone.tokenizer.decode(endless, skip_special_tokens=False)
    assert 80 < len(endless) <= 160
    assert responder.instruction in prompt
    assert "it rained<|im_end|>" in prompt


def test_several_turns_in_a_row_of_one_person_are_one_message(backbone: Backbone) -> None:
    turns = (Turn("speaker", "Hi."), Turn("speaker", "Are you there?"))
    messages = PromptedLM(backbone)._messages(turns, REQUEST)
    assert [message["role"] for message in messages] == ["system", "user"]
    assert messages[1]["content"] == "Hi.\nAre you there?"
