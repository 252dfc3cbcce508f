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
    return [entry[:3] for entry in functions_with_parameters(text)]


def functions_with_parameters(text):
    """The same, with the number of parameters."""
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
            stack.append((kind, _name(head) if kind == "function" else "", head_line or line,
                          parameters(head) if kind == "function" else 0))
            if kind != "other":
                head_start, head_line = position + 1, None
        elif character == "}" and stack:
            kind, name, first, taken = stack.pop()
            if kind == "function":
                found.append((name, first, line - first + 1, taken))
            if kind != "other":
                head_start, head_line = position + 1, None
        elif character == ";" and not inside:
            head_start, head_line = position + 1, None
        elif character == ":" and not inside and re.search(r"\b(public|private|protected)\s*$", code[head_start:position]):
            head_start, head_line = position + 1, None
    return found


def parameters(head):
    """How many parameters the function has that `head` begins; 0 for what takes none, and for tests."""
    bare = head[:]
    while (shorter := re.sub(r"<[^<>(){};]*>", "", bare)) != bare:
        bare = shorter
    match = _CALLED.search(bare)
    if not match or match.group(1).startswith(("TEST", "RC_GTEST")):
        return 0
    depth, count, seen = 0, 0, False
    for character in bare[match.end() - 1:]:
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            break
        count += character == "," and depth == 1
        seen = seen or (not character.isspace() and character != "(")
    return count + 1 if seen else 0


# A visitor has one for each alternative of a variant: their number says nothing about what the class offers.
_CALL_OPERATOR = re.compile(r"\boperator\s*\(\s*\)")
_CLASS = re.compile(r"\b(class|struct)\s+(?:\[\[\w+\]\]\s*)?(\w+)[^;(){}]*$")


def classes(text):
    """(name, line, number) of each class with the number of named functions that everybody may call."""
    code = stripped(text)
    found, stack, start, line = [], [], 0, 1
    for position, character in enumerate(code):
        line += character == "\n"
        if character == "{":
            match = _CLASS.search(code[start:position])
            inside = stack and stack[-1]["class"]
            if inside and not match and stack[-1]["public"] and "(" in code[start:position] and "friend" not in code[start:position] \
                    and not _CALL_OPERATOR.search(code[start:position]):
                stack[-1]["functions"] += _classify(code[start:position]) == "function"
            stack.append({"class": match.group(2) if match else None, "line": line,
                          "public": bool(match) and match.group(1) == "struct", "functions": 0})
            start = position + 1
        elif character == "}" and stack:
            top = stack.pop()
            if top["class"]:
                found.append((top["class"], top["line"], top["functions"]))
            start = position + 1
        elif character == ":" and stack and stack[-1]["class"]:
            section = re.search(r"\b(public|private|protected)\s*$", code[start:position])
            if section:
                stack[-1]["public"] = section.group(1) == "public"
                start = position + 1
        elif character == ";":
            declaration = code[start:position]
            if stack and stack[-1]["class"] and stack[-1]["public"] and re.search(r"\w\s*\(", declaration) \
                    and not re.search(r"\b(friend|using|static_assert)\b|=\s*delete", declaration) \
                    and not _CALL_OPERATOR.search(declaration) and "=" not in declaration.split("(")[0]:
                stack[-1]["functions"] += 1
            start = position + 1
    return found
