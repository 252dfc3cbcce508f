"""The sentences in sources: comments and string literals of C++, comments and strings of Python.

All else becomes a mark that no word matches. Each character keeps its place, so that lines can be counted. A literal without
a blank is a name and not a sentence. Text in `backticks` is code.
"""

import io
import re
import tokenize

_MARK = "\0"
_CPP = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)'
    r'|\bu?8?R"(?P<delimiter>[^()\s\\]{0,16})\((?P<raw>.*?)\)(?P=delimiter)"'
    r'|"(?P<string>(?:\\.|[^"\\\n])*)"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",
    re.DOTALL)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[^\n]*", re.MULTILINE)
_PYTHON_STRING = re.compile(r"""(?P<prefix>[A-Za-z]*)(?P<quote>\"{3}|'{3}|"|')(?P<text>.*)(?P=quote)""", re.DOTALL)


def _marked(text):
    return re.sub(r"\S", _MARK, text)


def _blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def _plain(text):
    """`text` with blanks in place of escapes and of code; what stands in code is marked."""
    text = re.sub(r"\\.", "  ", text)
    return re.sub(r"`[^`\n]*`", lambda match: _marked(match.group()), text)


def _comment(text, joined):
    inner = re.sub(r"^(//+|/\*)", lambda match: (" " if joined else _MARK) * len(match.group()), text)
    return _plain(inner)


def _literal(text, inner, begin, joined):
    """A string literal whose text begins at `begin` of `text`; one that goes on with a sentence is joined to it."""
    if " " not in inner.strip():
        return _marked(text)
    edge = (lambda part: re.sub(r"[^\n]", " ", part)) if joined else _marked
    return edge(text[:begin]) + _plain(inner) + " " * (len(text) - begin - len(inner))


def of_cpp(text):
    text = _INCLUDE.sub(lambda match: _marked(match.group()), text)
    parts, at, before = [], 0, None
    for match in _CPP.finditer(text):
        between = text[at:match.start()]
        parts.append(_marked(between))
        kind = "comment" if match["comment"] is not None else "string"
        joined = before == kind and not between.strip()
        inner = match["string"] if match["string"] is not None else match["raw"]
        if kind == "comment":
            parts.append(_comment(match.group(), joined))
        elif inner is None:
            parts.append(_marked(match.group()))
        else:
            begin = match.start("string" if match["string"] is not None else "raw") - match.start()
            parts.append(_literal(match.group(), inner, begin, joined))
        at, before = match.end(), kind
    return "".join(parts) + _marked(text[at:])


def without_sentences(text):
    """C++ without comments, literals and names of headers."""
    return _CPP.sub(" ", _INCLUDE.sub(" ", text))


def of_python(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    parts, at, before = [], 0, None
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in (tokenize.COMMENT, tokenize.STRING):
            continue
        start = starts[token.start[0] - 1] + token.start[1]
        between = text[at:start]
        parts.append(_marked(between))
        joined = before == token.type and not between.strip()
        if token.type == tokenize.COMMENT:
            parts.append((" " if joined else _MARK) + _plain(token.string[1:]))
        else:
            found = _PYTHON_STRING.fullmatch(token.string)
            parts.append(_literal(token.string, found["text"], found.start("text"), joined))
        at, before = start + len(token.string), token.type
    return "".join(parts) + _marked(text[at:])


def of_source(path, text):
    return of_python(text) if path.suffix == ".py" else of_cpp(text)
