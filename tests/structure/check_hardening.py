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
]
# The same, among what it needs of the C library.
MUST_CALL = [
    (r"\bUND __stack_chk_fail\b", "has no stack protector (-fstack-protector-strong)"),
    (r"\bUND __(?!stack_chk)\w+_chk\b", "has no fortified calls (-D_FORTIFY_SOURCE=3)"),
]


def findings(program, archive=None, read=readelf):
    """Of a program that has the C library inside, the calls are looked for in the archive that it is made of."""
    calls = read("--syms", archive) if archive else read("--dyn-syms", program)
    return ([f"{program}: {meaning}" for option, pattern, meaning in MUST if not re.search(pattern, read(option, program))] +
            [f"{archive or program}: {meaning}" for pattern, meaning in MUST_CALL if not re.search(pattern, calls)])


def main():
    programs = sys.argv[1:]
    if not programs:
        sys.exit("usage: check_hardening.py PROGRAM[:ARCHIVE]...")
    sys.exit(tree.report([finding for program in programs for finding in findings(*program.split(":"))], ADVICE))


if __name__ == "__main__":
    main()
