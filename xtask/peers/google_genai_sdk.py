"""The official google-genai SDK against the strict provider: `google_genai_sdk.py URL`."""

import sys

from checks import ANSWER, CALLS, GLOB, LS, PROMPT, RESULTS, TEXT, THINKING, refused, same
from google import genai
from google.genai import errors, types

print(f"google-genai {genai.__version__}")
again = types.HttpRetryOptions(attempts=3, initial_delay=0.1)
options = types.HttpOptions(base_url=sys.argv[1], retry_options=again)
client = genai.Client(api_key="any", http_options=options)
contents = [types.Content(role="user", parts=[types.Part(text=PROMPT)])]
tools = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(name="Ls", parameters_json_schema=LS),
        types.FunctionDeclaration(name="Glob", parameters_json_schema=GLOB),
    ]
)
settings = {
    "model": "gemini-3-pro",
    "config": types.GenerateContentConfig(
        tools=[tools],
        thinking_config=types.ThinkingConfig(include_thoughts=True),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    ),
}


def stream():
    """The parts of the next reply, streamed, and the last chunk."""
    parts, last = [], None
    for last in client.models.generate_content_stream(contents=contents, **settings):
        parts.extend(last.candidates[0].content.parts or [])
    return [part for part in parts if part.text != "" or part.thought_signature], last


def text(parts, thought=None):
    """What the parts say or think."""
    return "".join(part.text for part in parts if part.text and part.thought == thought)


parts, last = stream()
same("a 429 is asked again, then text streams", text(parts), TEXT)
same("thoughts", text(parts, True), THINKING)
calls = [part.function_call for part in parts if part.function_call]
same("parallel calls with their arguments", [(call.name, call.args) for call in calls], CALLS)
signed = [part.thought_signature is not None for part in parts if part.function_call]
same("the first call is signed", signed, [True, False])
usage = last.usage_metadata
same("usage", (usage.prompt_token_count, usage.candidates_token_count), (50, 20))

results = [
    types.Part(
        function_response=types.FunctionResponse(
            id=call.id, name=call.name, response={"output": result}
        )
    )
    for call, result in zip(calls, RESULTS, strict=True)
]
contents.append(types.Content(role="model", parts=parts))
contents.append(types.Content(role="user", parts=results))
parts, _ = stream()
same("signature and results are taken back", text(parts), ANSWER)
whole = client.models.generate_content(contents=contents, **settings)
same("a whole reply", text(whole.candidates[0].content.parts), ANSWER)

contents[2] = types.Content(role="user", parts=results[:1])
refused("a missing response is refused", errors.ClientError, stream, "number of function response")
contents[2] = types.Content(role="user", parts=results)
for part in contents[1].parts:
    part.thought_signature = None
refused("a missing signature is refused", errors.ClientError, stream, "thought_signature")
