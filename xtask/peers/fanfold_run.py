"""`fanfold run` against aimock, which is not ours: `fanfold_run.py URL PROGRAM MODEL`."""

import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from urllib.request import urlopen

from checks import PROMPT, TEXT, THINKING, same

URL, PROGRAM, MODEL = sys.argv[1:]
ANSWER, AGAIN, LAST = "Two files.", "Once more.", "Still two files."
BROKEN = "This reply never comes to its end: the connection breaks before it."
CALLS = [("Ls", {"path": "src"}), ("Shell", {"command": "echo once >> runs.txt"})]


def turn(place, prompt, *more):
    """The events of one turn that ends well."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("FANFOLD_")}
    env |= {name: "any" for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY")}
    env |= {"ANTHROPIC_BASE_URL": URL, "OPENAI_BASE_URL": f"{URL}/v1", "GEMINI_BASE_URL": URL}
    env |= {"FANFOLD_HOME": f"{place}/home", "XDG_CONFIG_HOME": f"{place}/config"}
    command = [PROGRAM, "run", prompt, "--json", "--allow", "Shell", *more]
    done = subprocess.run(
        command, cwd=f"{place}/work", env=env, capture_output=True, text=True, timeout=60
    )
    if done.returncode != 0:
        raise SystemExit(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def of(events, kind, key, **wanted):
    """What stands under a key in the events of this type."""
    these = [event for event in events if event["type"] == kind]
    return [event[key] for event in these if all(event[k] == v for k, v in wanted.items())]


def once(events):
    """Each call was asked for, started and ended well exactly once, with these arguments."""
    asked = [event for event in events if event.get("state") == "asked"]
    calls = [(event["tool"], json.loads(event["arguments"])) for event in asked]
    same("parallel calls with their arguments", calls, CALLS)
    ids = [event["call"] for event in asked]
    for state in ("started", "ended"):
        same(f"each call {state} once", sorted(of(events, "call", "call", state=state)), ids)
    same("statuses", of(events, "call", "status", state="ended"), ["ok", "ok"])


def paired(messages):
    """Every call has its result behind it, in order."""
    waiting, results = [], []
    for message in messages:
        waiting += [call["id"] for call in message.get("tool_calls") or []]
        if message["role"] == "tool":
            oldest = waiting.pop(0) if waiting else None
            same("a result answers the oldest open call", message["tool_call_id"], oldest)
            results.append(message["content"])
        elif waiting and message["role"] == "user":
            raise SystemExit(f"calls without result: {waiting}")
    same("open calls at the end", waiting, [])
    return results


with tempfile.TemporaryDirectory() as place:
    source = Path(place, "work", "src")
    source.mkdir(parents=True)
    for name in ("a.rs", "b.rs"):
        source.joinpath(name).touch()

    print(f" {MODEL}")
    first = turn(place, PROMPT, "--model", MODEL)
    same("final text", of(first, "final", "text", ended="answered"), [ANSWER])
    same("text in pieces", "".join(of(first, "text", "text", partial=True)), TEXT + ANSWER)
    same("whole texts", of(first, "text", "text", partial=False), [TEXT, ANSWER])
    same("thinking", "".join(of(first, "thinking", "text")), THINKING)
    usage = of(first, "usage", "input")[0], of(first, "usage", "output")[0]
    same("usage", usage, (50, 20))
    once(first)
    (session,) = of(first, "session", "session")
    second = turn(place, AGAIN, "--session", session)
    notices = [text.split(";")[-1][:13] for text in of(second, "notice", "text")]
    same("a 429 and a broken stream are asked again", notices, [" asking again"] * 2)
    broken = "".join(of(second, "text", "text", partial=True)).removesuffix(LAST)
    same("it broke in the middle", bool(broken) and BROKEN.startswith(broken), True)
    same("what broke is forgotten", of(second, "text", "text", partial=False), [LAST])
    same("final text", of(second, "final", "text", ended="answered"), [LAST])
    same("resumed", of(second, "session", "resumed"), [True])
    same("no call ran twice", Path(place, "work", "runs.txt").read_text(), "once\n")

with urlopen(f"{URL}/__aimock/journal") as answer:
    journal = json.load(answer)
same("statuses", [entry["response"]["status"] for entry in journal], [200, 200, 429, 200, 200])
bodies = [entry["body"] for entry in journal]
same("the model asked", {body["model"] for body in bodies}, {MODEL.split("/")[1]})
same("streamed", {body["stream"] for body in bodies}, {True})
same("tools stay", [body["tools"] for body in bodies], [bodies[0]["tools"]] * len(bodies))
sent = [body["messages"] for body in bodies]
for before, after in pairwise(sent):
    same("what was sent stays", after[: len(before)], before)
same("the same is asked again", sent[2:], [sent[2]] * 3)
system, *messages = sent[-1]
same("system first", (system["role"], bool(system["content"])), ("system", True))
offered = {tool["function"]["name"] for tool in bodies[0]["tools"]}
same("tools offered", {"Ls", "Shell"} <= offered, True)
same("asks", [message["content"] for message in messages if message["role"] == "user"], [PROMPT, AGAIN])
listed, ran = paired(messages)
same("the list is told", "a.rs" in listed and "b.rs" in listed, True)
same("the exit code is told", "Exit code: 0" in ran, True)
