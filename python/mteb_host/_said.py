"""Messages of the program in words of Python."""

from __future__ import annotations

import re

# What the program says of an option that it does not have, and of one that it has.
_UNEXPECTED = re.compile(r"unexpected argument '--([a-z0-9-]+)' found")
_SIMILAR = re.compile(r"(a similar argument exists|some similar arguments exist): ('--[a-z0-9-]+'(?:, '--[a-z0-9-]+')*)")
# What it says of values.
_INVALID = re.compile(r"invalid value '(.*)' for '--([a-z0-9-]+)(?: <[^']*>)?'", re.DOTALL)
_LACKING = re.compile(r"a value is required for '--([a-z0-9-]+)(?: <[^']*>)?' but none was supplied")
_POSSIBLE = re.compile(r"  \[possible values: (.*)\]")
# An option in its messages, with its value if it names one.
_OPTION = re.compile(r"`--([a-z0-9-]+)(?:[ =]([^`]+))?`")
# Options without a value.
_SWITCHES = (
    "all",
    "extra-measures",
    "fail-fast",
    "keep-unknown",
    "no-cache",
    "offline",
    "outcomes",
    "predictions",
    "rankings",
    "renormalize",
    "reranker",
    "trust-remote-code",
    "update-lock",
    "verbose",
)
_ABOVE = "for the reasons above"
_FAILED = re.compile(rf"\d+ units? failed, {_ABOVE}")


def errors_of(message: str) -> str:
    """The lines of `message` that say what is wrong, and what may be meant instead, with options as Python writes them.

    >>> errors_of("reading\\nerror: unexpected argument '--batch-tokns' found\\n\\n  tip: a similar argument exists: '--batch-tokens'\\n\\nUsage: …")
    'unexpected argument `batch_tokns=`; a similar argument exists: `batch_tokens=`'
    >>> errors_of("error: invalid value 'yes' for '--overwrite <OVERWRITE>'\\n  [possible values: never, always]")
    "invalid value 'yes' for `overwrite=`; possible values: never, always"
    """
    errors: list[str] = []
    for line in message.splitlines():
        possible = _POSSIBLE.fullmatch(line)
        if line.startswith("error: "):
            errors.append(in_python(line.removeprefix("error: ")))
        elif errors and line.startswith("  tip: ") and _SIMILAR.search(line):
            errors[-1] += "; " + _SIMILAR.sub(_similar, line.removeprefix("  tip: "))
        elif errors and possible:
            errors[-1] += f"; possible values: {possible[1]}"
    if any(_ABOVE in error for error in errors):
        # Of what was not shown, nothing is above.
        errors = [line for line in message.splitlines() if line and not line.startswith("error: ")] + errors
    return "\n".join(errors) or "\n".join(line for line in message.splitlines() if not _FAILED.fullmatch(line)) or message


def in_python(text: str) -> str:
    """Options in a message as arguments of a call.

    >>> in_python("leave out `--benchmark`; write `--draws selected` or `--registry FILE`, with `--offline`")
    'leave out `benchmark=`; write `draws="selected"` or `registry=FILE`, with `offline=True`'
    """
    text = _UNEXPECTED.sub(lambda found: f"unexpected argument `{_name(found[1])}=`", text)
    text = _INVALID.sub(lambda found: f"invalid value '{found[1]}' for `{_name(found[2])}=`", text)
    text = _LACKING.sub(lambda found: f"expected a value of `{_name(found[1])}=`, found True", text)
    return _OPTION.sub(_argument, text)


def _argument(found: re.Match[str]) -> str:
    name, value = found[1], found[2]
    if value is None:
        return f"`{_name(name)}={'True' if name in _SWITCHES else ''}`"
    is_said = re.fullmatch(r"[a-z][A-Za-z0-9_:./-]*", value) and value not in ("true", "false")
    return f'`{_name(name)}="{value}"`' if is_said else f"`{_name(name)}={value}`"


def _similar(found: re.Match[str]) -> str:
    return f"{found[1]}: " + ", ".join(f"`{_name(name.strip(chr(39) + '-'))}=`" for name in found[2].split(", "))


def _name(option: str) -> str:
    return option.replace("-", "_")
