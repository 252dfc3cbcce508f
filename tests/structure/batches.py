"""Sources that are compiled in batches (cmake/Targets.cmake)."""

import pathlib
import re


def sources_of(file):
    """The sources that one compiler call compiles, as the compilation database names them: `file`, or those of the batch."""
    if "/Unity/" not in str(file):
        return [str(file)]
    return re.findall(r'^#include "(.+\.cc)"', pathlib.Path(file).read_text(encoding="utf-8"), re.MULTILINE)
