"""Finds the functions of a C++ file and how long they are, without a compiler.

It strips comments and literals, then follows braces and classifies each by the text
before it. Tolerant rather than exact: good enough to measure length in milliseconds,
where a compiler's tree would take minutes.
"""

import re

_LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|\bR"(?P<delimiter>[^()\s\\]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",
    re.DOTALL)
_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
# A name before a parenthesis. Each part of it ends at `::`, so that no text is read in more than one way.
_CALLED = re.compile(r"(?<!\w)((?:::)?(?:~?\w+::)*(?:operator\s+\w+|operator\s*\S{1,3}|~?\w+))\s*\(")
_AFTER_PARAMETERS = re.compile(r"(\)|\b(const|noexcept|override|final|mutable|volatile|try)|&)\s*$")


def _blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def stripped(text):
    """`text` with comments, literals and preprocessor lines blanked, lines kept."""
    return _DIRECTIVE.sub(_blank, _LITERAL.sub(lambda m: _blank(m) if m.group(0)[0] == "/" else '""' + _blank(m)[2:], text))


def _without_groups(head):
    """`head` without what stands in parentheses and template brackets."""
    previous = None
    while previous != head:
        previous = head
        head = re.sub(r"\([^()]*\)", "()", head) if re.search(r"\([^()]+\)", head) else head
        head = re.sub(r"<[^<>(){};]*>", "", head)
    return head


def _classify(head):
    """What an opening brace after `head` begins: scope, function, or other."""
    head = re.sub(r"\[\[.*?\]\]", "", head).strip()
    bare = _without_groups(head)
    if "(" not in bare:
        return "scope" if _SCOPE.search(bare) else "other"
    if re.search(r"(^|[^=!<>])=\s*$", bare) or re.search(r"\b(return|operator=)\s*$", bare):
        return "other"
    if re.search(r"\)[^:]*[^:]:[^:]", bare) or re.search(r"\)\s*:[^:]", bare):
        # Behind a constructor's colon: `a_{1}` initializes, `) {` or `} {` begins the body.
        return "function" if re.search(r"[)}]\s*$", head) else "other"
    if _AFTER_PARAMETERS.search(bare) or "->" in bare or re.search(r"\bnoexcept\(\)\s*$|\brequires\b", bare):
        return "function"
    return "other"


def _name(head):
    bare = _without_groups(head)
    match = _CALLED.search(bare)
    if match and match.group(1) in ("TEST", "TEST_F", "TEST_P", "RC_GTEST_PROP"):
        arguments = re.search(re.escape(match.group(1)) + r"\s*\(([^()]*)\)", head)
        return re.sub(r"\s*,\s*", ".", arguments.group(1).strip()) if arguments else match.group(1)
    return match.group(1) if match else "?"


def functions(text):
    """(name, first line, number of lines) of each function at namespace or class scope."""
    code = stripped(text)
    found, stack, head_start, line, head_line = [], [], 0, 1, None
    for position, character in enumerate(code):
        if character == "\n":
            line += 1
        elif not character.isspace() and head_line is None:
            head_line = line
        inside = bool(stack) and stack[-1][0] in ("function", "other")
        if character == "{":
            head = code[head_start:position]
            kind = "other" if inside else _classify(head)
            stack.append((kind, _name(head) if kind == "function" else "", head_line or line))
            if kind != "other":
                head_start, head_line = position + 1, None
        elif character == "}" and stack:
            kind, name, first = stack.pop()
            if kind == "function":
                found.append((name, first, line - first + 1))
            if kind != "other":
                head_start, head_line = position + 1, None
        elif character == ";" and not inside:
            head_start, head_line = position + 1, None
        elif character == ":" and not inside and re.search(r"\b(public|private|protected)\s*$", code[head_start:position]):
            head_start, head_line = position + 1, None
    return found
