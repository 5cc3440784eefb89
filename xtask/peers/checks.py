"""What every peer compares: the script's replies, as its SDK shows them. Not here: any SDK."""

THINKING = "First the list, then the names."
TEXT = "I look around: «»"
CALLS = [("Ls", {"path": "src", "ignore": ["*.tmp"]}), ("Glob", {})]
ANSWER = "Two files."
PROMPT = "Look around."
RESULTS = ["a.rs\nb.rs", "nothing"]

LS = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "ignore": {"type": "array", "items": {"type": "string"}},
    },
}
GLOB = {"type": "object", "properties": {"pattern": {"type": "string"}}}


def same(what, got, want):
    """Ends the program unless both are equal."""
    if got != want:
        raise SystemExit(f"{what}: got {got!r}, want {want!r}")
    print(f"  ok: {what}")


def refused(what, error, ask, words):
    """Ends the program unless asking is refused by the SDK's own error, with these words."""
    try:
        ask()
    except error as refusal:
        if words not in str(refusal):
            raise SystemExit(f"{what}: {words!r} is not in {refusal}") from refusal
        print(f"  ok: {what}")
        return
    raise SystemExit(f"{what}: was accepted")
