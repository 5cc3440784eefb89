"""The official openai SDK against the strict provider, both of its wires: `openai_sdk.py URL`."""

import json
import sys

import openai
from checks import ANSWER, CALLS, GLOB, LS, PROMPT, RESULTS, TEXT, THINKING, refused, same

print(f"openai {openai.__version__}")
client = openai.OpenAI(base_url=f"{sys.argv[1]}/v1", api_key="any")
TOOLS = [("Ls", LS), ("Glob", GLOB)]


def chat():
    """Chat Completions."""
    print(" chat completions")
    messages = [{"role": "user", "content": PROMPT}]
    settings = {
        "model": "gpt-5.2",
        "tools": [
            {"type": "function", "function": {"name": name, "parameters": schema}}
            for name, schema in TOOLS
        ],
    }

    def stream():
        usage = {"include_usage": True}
        with client.chat.completions.stream(
            messages=messages, stream_options=usage, **settings
        ) as events:
            for _ in events:
                pass
            return events.get_final_completion()

    reply = stream()
    message = reply.choices[0].message
    same("a 429 is asked again, then text streams", message.content, TEXT)
    calls = [(call.function.name, json.loads(call.function.arguments)) for call in message.tool_calls]
    same("parallel calls with their arguments", calls, CALLS)
    same("finish reason", reply.choices[0].finish_reason, "tool_calls")
    same("usage", (reply.usage.prompt_tokens, reply.usage.completion_tokens), (50, 20))
    asked = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.function.name, "arguments": call.function.arguments},
        }
        for call in message.tool_calls
    ]
    results = [
        {"role": "tool", "tool_call_id": call.id, "content": result}
        for call, result in zip(message.tool_calls, RESULTS, strict=True)
    ]
    messages.append({"role": "assistant", "content": message.content, "tool_calls": asked})
    messages.extend(results)
    same("results are taken", stream().choices[0].message.content, ANSWER)
    whole = client.chat.completions.create(messages=messages, **settings)
    same("a whole reply", whole.choices[0].message.content, ANSWER)
    messages.pop()
    refused("a missing result is refused", openai.BadRequestError, stream, "did not have response")


def responses():
    """Responses."""
    print(" responses")
    items = [{"role": "user", "content": PROMPT}]
    settings = {
        "model": "gpt-5.2",
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "tools": [
            {"type": "function", "name": name, "parameters": schema, "strict": False}
            for name, schema in TOOLS
        ],
    }

    def stream():
        shown, final = "", None
        for event in client.responses.create(input=items, stream=True, **settings):
            if event.type == "response.output_text.delta":
                shown += event.delta
            elif event.type == "response.completed":
                final = event.response
        same("the stream and its end agree", final.output_text, shown)
        return final

    reply = stream()
    same("text", reply.output_text, TEXT)
    kinds = [item.type for item in reply.output]
    same("items in order", kinds, ["reasoning", "message", "function_call", "function_call"])
    same("reasoning", reply.output[0].summary[0].text, THINKING)
    calls = [(call.name, json.loads(call.arguments)) for call in reply.output[2:]]
    same("parallel calls with their arguments", calls, CALLS)
    same("usage", (reply.usage.input_tokens, reply.usage.output_tokens), (50, 20))
    items.extend(reply.output)
    items.extend(
        {"type": "function_call_output", "call_id": call.call_id, "output": result}
        for call, result in zip(reply.output[2:], RESULTS, strict=True)
    )
    same("reasoning and results are taken back", stream().output_text, ANSWER)
    whole = client.responses.create(input=items, **settings)
    same("a whole reply", whole.output_text, ANSWER)
    items.pop()
    refused("a missing output is refused", openai.BadRequestError, stream, "No tool output found")


# The script's fault is used up by the first request: each wire has a server of its own.
{"chat": chat, "responses": responses}[sys.argv[2]]()
