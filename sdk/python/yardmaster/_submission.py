"""What can be submitted, as the bytes for the server."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Mapping, Union

from .job import Job, JobFile

Spec = Union[Job, JobFile, Mapping[str, Any], str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Submission:
    content_type: str
    body: bytes
    may_be_several: bool


def submission_of(spec: Spec) -> Submission:
    """Raises OSError (the file cannot be read), TypeError, ValueError."""
    if isinstance(spec, Job):
        return _of_mapping(spec.to_dict())
    if isinstance(spec, Mapping):
        return _of_mapping(spec)
    if isinstance(spec, JobFile):
        return _of_file(spec)
    if isinstance(spec, str) and _is_text(spec):
        return _of_file(JobFile(spec))
    if isinstance(spec, (str, os.PathLike)):
        return _of_file(Job.load(Path(spec)))
    raise TypeError(f"a job is a Job, a JobFile, a mapping, a path or YAML text, not {type(spec).__name__}")


def _is_text(text: str) -> bool:
    """Whether a string is the text of a job file, not its path."""
    return "\n" in text or ": " in text or text.lstrip().startswith("{")


def _of_mapping(spec: Mapping[str, Any]) -> Submission:
    body = json.dumps(dict(spec), allow_nan=False).encode()
    return Submission("application/json", body, may_be_several="array" in spec)


def _of_file(file: JobFile) -> Submission:
    # Sent as JSON: some escapes of JSON are not known to YAML.
    if file.is_json:
        return Submission("application/json", file.text.encode(), may_be_several="array" in json.loads(file.text))
    documents = re.split(r"(?m)^---(?=\s|$)", file.text)
    several = sum(1 for document in documents if document.strip()) > 1
    array = re.search(r"""(?m)^["']?array["']?\s*:""", file.text) is not None
    return Submission("application/yaml", file.text.encode(), may_be_several=several or array)
