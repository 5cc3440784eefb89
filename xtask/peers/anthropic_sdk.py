"""The official anthropic SDK against the strict provider: `anthropic_sdk.py URL`."""

import sys

import anthropic
from checks import ANSWER, CALLS, GLOB, LS, PROMPT, RESULTS, TEXT, THINKING, refused, same

print(f"anthropic {anthropic.__version__}")
client = anthropic.Anthropic(base_url=sys.argv[1], api_key="any")
messages = [{"role": "user", "content": PROMPT}]
settings = {
    "model": "claude-opus-4-6",
    "max_tokens": 4096,
    "thinking": {"type": "adaptive"},
    "tools": [{"name": "Ls", "input_schema": LS}, {"name": "Glob", "input_schema": GLOB}],
}


def stream():
    """The next reply, streamed."""
    with client.messages.stream(messages=messages, **settings) as events:
        shown = "".join(events.text_stream)
        return shown, events.get_final_message()


shown, reply = stream()
same("a 429 is asked again, then text streams", shown, TEXT)
kinds = [block.type for block in reply.content]
same("blocks in order", kinds, ["thinking", "text", "tool_use", "tool_use"])
same("thinking", reply.content[0].thinking, THINKING)
calls = [(block.name, block.input) for block in reply.content[2:]]
same("parallel calls with their input", calls, CALLS)
same("stop reason", reply.stop_reason, "tool_use")
same("usage", (reply.usage.input_tokens, reply.usage.output_tokens), (50, 20))

results = [
    {"type": "tool_result", "tool_use_id": block.id, "content": result}
    for block, result in zip(reply.content[2:], RESULTS, strict=True)
]
messages.append({"role": "assistant", "content": reply.content})
messages.append({"role": "user", "content": results})
shown, _ = stream()
same("thinking and results are taken back", shown, ANSWER)
whole = client.messages.create(messages=messages, **settings)
same("a whole reply", whole.content[1].text, ANSWER)

messages[2] = {"role": "user", "content": results[:1]}
refused("a missing result is refused", anthropic.BadRequestError, stream, "without `tool_result`")
touched = [block.model_dump(exclude_unset=True) for block in reply.content]
touched[0]["thinking"] = "Never mind."
messages[1:] = [{"role": "assistant", "content": touched}, {"role": "user", "content": results}]
refused("touched thinking is refused", anthropic.BadRequestError, stream, "cannot be modified")
