"""The release programs have what the compiler and linker offer against exploitation."""

import re
import subprocess
import sys

import tree

ADVICE = """
The flags stand in cmake/Toolchain.cmake (ym_options); every target links ym_options. A program
without them was linked past it, or a flag was dropped.
"""


def readelf(option, program):
    return subprocess.run(["readelf", "-W", option, program], check=True, capture_output=True, text=True).stdout


# What must be seen -> (option of readelf, pattern, meaning).
MUST = [
    ("-h", r"Type:\s+DYN", "is not position independent (-fPIE -pie)"),
    ("-d", r"FLAGS_1.*\bPIE\b", "is not linked as a PIE"),
    ("-d", r"\bBIND_NOW\b|FLAGS_1.*\bNOW\b", "binds lazily (-z now)"),
    ("-l", r"GNU_RELRO", "has writable relocations (-z relro)"),
    ("-l", r"GNU_STACK\s+\S+\s+\S+\s+\S+\s+\S+\s+\S+\s+RW\s", "has an executable stack (-z noexecstack)"),
    ("--dyn-syms", r"__stack_chk_fail", "has no stack protector (-fstack-protector-strong)"),
    ("--dyn-syms", r"__(?!stack_chk)\w+_chk\b", "has no fortified calls (-D_FORTIFY_SOURCE=3)"),
]


def findings(program, read=readelf):
    return [f"{program}: {meaning}" for option, pattern, meaning in MUST if not re.search(pattern, read(option, program))]


def main():
    programs = sys.argv[1:]
    if not programs:
        sys.exit("usage: check_hardening.py PROGRAM...")
    sys.exit(tree.report([finding for program in programs for finding in findings(program)], ADVICE))


if __name__ == "__main__":
    main()
