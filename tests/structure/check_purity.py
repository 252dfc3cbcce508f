"""The engine's purity, by symbols: no clock, file, thread, environment, randomness or global.

What an archive leaves undefined is what it asks of others, so `nm` shows every way out
of it, also those that come through templates and inline functions.
"""

import re
import subprocess
import sys

import tree

# Pattern of a demangled symbol -> what it is.
BANNED = {
    r"^(clock_gettime|clock_getres|clock_nanosleep|clock|time|gettimeofday|localtime(_r)?|gmtime(_r)?|mktime"
    r"|nanosleep|usleep|sleep|timer_\w+)$": "a clock",
    r"^std::chrono::\w+::\w+_clock::now|^std::chrono::_V2::\w+::now": "a clock",
    r"^(open|open64|openat\w*|creat\w*|fopen\w*|freopen\w*|fdopen|read|write|pread\w*|pwrite\w*|close|stat\w*|fstat\w*"
    r"|lstat\w*|unlink\w*|rename\w*|mkdir\w*|opendir|readdir\w*|socket|connect|bind|send\w*|recv\w*|poll|select"
    r"|epoll_\w+|ioctl|mmap\w*)$": "input or output",
    r"^(puts|putchar|printf|fprintf|vfprintf|fputs|fputc|fwrite|fread|fgets|getline|scanf|__\w*printf_chk)$":
        "input or output",
    r"^(std::basic_(if|of|f)stream|std::basic_filebuf|std::filesystem::|std::cout|std::cerr|std::clog|std::cin)":
        "input or output",
    r"^std::ios_base::Init": "input or output",
    r"^(pthread_|thrd_|mtx_|cnd_|sem_|futex)": "a thread or a lock",
    r"^std::(thread|this_thread|condition_variable|__future_base|__atomic_futex)": "a thread or a lock",
    r"^(getenv|secure_getenv|setenv|putenv|environ)$": "the environment",
    r"^(rand|srand|random|srandom|rand_r|drand48|lrand48|getrandom|getentropy|arc4random\w*)$": "randomness",
    r"^std::random_device": "randomness",
    r"^(fork|vfork|exec\w+|system|popen|kill|signal|sigaction|raise|exit|_exit|getpid|gethostname|uname|getuid)$":
        "the process",
    r"^(dlopen|dlsym|syscall|setlocale|std::locale::global.*)$": "the process",
}

# Sections in which something can be changed while the program runs.
MUTABLE = re.compile(r"^\.(bss|data|tbss|tdata)(\.|$)")
# ... but whose constants the linker only relocates.
CONSTANT = re.compile(r"^\.data\.rel\.ro")
# Comes with sanitizers or the compiler, not from our code.
NOT_OURS = re.compile(r"^(__asan|__ubsan|__odr_asan|__sanitizer|\.L|DW\.ref\.)")
# The default that empty boxes share (base/boxed.h). It is const, and the same whenever it is made. It cannot be constexpr
# while std::map has no constexpr constructor.
SHARED_DEFAULT = re.compile(r"^(guard variable for )?ym::Boxed<.+>::default_value\(\)::value$")

ADVICE = """
The engine is a pure function of state, policy, now and seed (src/engine/engine.h), so that the
server, the simulator, a dry run and a replay decide alike. Instead: take time and seed as
arguments, return what should be said or stored, let the caller time phases through PhaseObserver,
make tables constexpr and keep what varies in State. `nm -C -u` on the archive shows who asks.
"""


def undefined_findings(listing):
    """Findings in the output of `nm -C -u`."""
    found, member = [], "?"
    for line in listing.splitlines():
        if line.endswith(":") and " " not in line.strip():
            member = line.rstrip(":")
            continue
        match = re.match(r"\s*[Uuwv] (.+?)(@.*)?$", line)
        for pattern, what in BANNED.items():
            if match and re.search(pattern, match.group(1)):
                found.append(f"{member}: uses {match.group(1)}: {what}")
    return found


def global_findings(listing):
    """Findings in the output of `nm -C -f sysv`: variables in sections that can change."""
    found, member = [], "?"
    for line in listing.splitlines():
        header = re.match(r"^Symbols from .*\[?(\w[\w.]*\.o)\]?:?$", line)
        if header:
            member = header.group(1)
        columns = [column.strip() for column in line.rsplit("|", 6)]
        if len(columns) != 7:
            continue
        name, kind, section = columns[0], columns[3], columns[6]
        if kind in ("OBJECT", "TLS") and MUTABLE.match(section) and not CONSTANT.match(section):
            if not NOT_OURS.match(name) and not SHARED_DEFAULT.match(name):
                found.append(f"{member}: {name} is a global that can change ({section})")
    return found


def run_nm(*arguments):
    return subprocess.run(["nm", *arguments], check=True, capture_output=True, text=True).stdout


def check(archive):
    return undefined_findings(run_nm("-C", "-u", archive)) + global_findings(run_nm("-C", "-f", "sysv", archive))


if __name__ == "__main__":
    sys.exit(tree.report(check(tree.arguments(__doc__, ("--archive", "libym_engine.a")).archive), ADVICE))
