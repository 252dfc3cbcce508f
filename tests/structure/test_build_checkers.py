"""The checkers that compile, or look at what was compiled, fail where they should and pass where they should."""

import json
import os
import subprocess
import sys
import textwrap
import unittest
import unittest.mock

import check_hardening
import check_headers
import check_purity
import check_tidy
import header_groups
from fixture import Tree


class Purity(Tree):
    def archive(self, source):
        self.write("a.cc", source)
        subprocess.run(["clang++-19", "-std=c++23", "-O2", "-fPIC", "-c", "a.cc", "-o", "a.o"], cwd=self.root, check=True)
        subprocess.run(["ar", "rc", "a.a", "a.o"], cwd=self.root, check=True)
        return check_purity.check(str(self.root / "a.a"))

    def test_pure_code_passes(self):
        self.assertEqual(self.archive("""
            #include <map>
            #include <memory>
            #include <string>
            const char* const names[] = {"a", "b"};
            static constexpr int table[] = {1, 2, 3};
            std::string f(std::map<int, std::shared_ptr<std::string>>& m, int i) { return *m[table[i % 3]] + names[i & 1]; }
            """), [])

    def test_every_way_out_is_seen(self):
        for source, what in {
            "#include <chrono>\nauto f() { return std::chrono::steady_clock::now(); }": "a clock",
            "#include <ctime>\nauto f() { return time(nullptr); }": "a clock",
            "#include <fstream>\nvoid f() { std::ofstream o(\"x\"); o << 1; }": "input or output",
            "#include <cstdio>\nvoid f() { std::puts(\"x\"); }": "input or output",
            "#include <thread>\nvoid g(); void f() { std::thread t(g); t.join(); }": "a thread or a lock",
            "#include <mutex>\nstd::mutex& m(); void f() { std::lock_guard l(m()); }": "a thread or a lock",
            "#include <cstdlib>\nauto f() { return std::getenv(\"X\"); }": "the environment",
            "#include <cstdlib>\nauto f() { return std::rand(); }": "randomness",
            "#include <random>\nauto f() { return std::random_device{}(); }": "randomness",
            "#include <unistd.h>\nauto f() { return getpid(); }": "the process",
        }.items():
            with self.subTest(source):
                self.assertTrue(any(finding.endswith(what) for finding in self.archive(source)), what)

    def test_globals_are_seen(self):
        for source in ("int counter = 1; int f() { return ++counter; }",
                       "static int zero; int f() { return ++zero; }",
                       "#include <map>\nint g(); int f() { static std::map<int, int> m; return ++m[g()]; }"):
            with self.subTest(source):
                self.assertIn("global", " ".join(self.archive(source)))

    def test_only_the_default_of_boxes_is_made_at_first_use(self):
        source = """
            #include <map>
            namespace ym {
            template <class T> struct %s { static const T& default_value() { static const T value{}; return value; } };
            auto f() { return %s<std::map<int, int>>::default_value().size(); }
            }"""
        self.assertEqual(self.archive(source % ("Boxed", "Boxed")), [])
        self.assertIn("global", " ".join(self.archive(source % ("Other", "Other"))))


class Hardening(Tree):
    def build(self, *flags):
        self.write("a.cc", """
            #include <cstdio>
            #include <cstring>
            int main(int n, char** v) { char b[64]; std::snprintf(b, sizeof b, v[0], n); std::strcpy(b, v[n]); std::puts(b); }
            """)
        program = str(self.root / "a")
        subprocess.run(["clang++-19", "-O2", "-w", *flags, "a.cc", "-o", program], cwd=self.root, check=True)
        return check_hardening.findings(program)

    def test_both_ways(self):
        self.assertEqual(self.build("-fPIE", "-pie", "-fstack-protector-strong", "-D_FORTIFY_SOURCE=2",
                                    "-Wl,-z,relro,-z,now,-z,noexecstack"), [])
        weak = " ".join(self.build("-fno-PIE", "-no-pie", "-fno-stack-protector", "-U_FORTIFY_SOURCE",
                                   "-Wl,-z,norelro,-z,lazy,-z,execstack"))
        for word in ("position independent", "binds lazily", "writable relocations", "executable stack", "stack protector",
                     "fortified"):
            self.assertIn(word, weak)


class Headers(unittest.TestCase):
    def test_the_first_error_of_each_header(self):
        output = textwrap.dedent("""\
            FAILED: x.o
            /home/u/ym/src/model/a.h:3:5: error: unknown type name 'Duration'
            /home/u/ym/src/model/a.h:4:5: error: unknown type name 'Instant'
            """)
        self.assertEqual(check_headers.findings(output), ["model/a.h:3: unknown type name 'Duration'"])
        self.assertEqual(check_headers.findings("[1/1] Building\n"), [])


class HeaderGroups(Tree):
    def test_what_is_shared_is_included_by_each(self):
        for name in ("a", "b", "c", "d"):
            self.write(f"src/{name}.h", "#include <string>\n")
        self.write("src/far.h", '#include "a.h"\n')
        self.write("src/none.h", "int n;\n")
        self.write("src/few.h", "#include <functional>\n#include <string>\n")
        groups = header_groups.groups(self.root / "src")
        self.assertEqual(groups, {("string",): ["a.h", "b.h", "c.h", "d.h", "far.h", "few.h"], (): ["none.h"]})

    def test_a_header_alone(self):
        for name in ("a", "b", "c", "d"):
            self.write(f"src/{name}.h", "#pragma once\n#include <string>\n")
        self.write("src/lacks.h", "#pragma once\n#include <string>\nstd::vector<std::string> list();\n")
        database = []
        for name in ("a", "b", "c", "d", "lacks"):
            source = self.root / f"build/headers_alone/{name}.h.cc"
            self.write(f"build/headers_alone/{name}.h.cc", f'#include "{name}.h"\n')
            database.append({"directory": str(self.root / "build"), "file": str(source),
                             "command": f"ccache clang++-19 -std=c++23 -I{self.root}/src -o x -c {source}"})
        self.write("build/compile_commands.json", json.dumps(database))
        run = subprocess.run([sys.executable, "-B", check_headers.__file__, "--root", str(self.root), "--build",
                              str(self.root / "build")], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("lacks.h:3: no template named 'vector'", run.stdout)
        self.assertIn("1 found.", run.stdout)


class Tidy(Tree):
    def test_a_source_of_a_batch_is_found_with_its_flags(self):
        self.write("src/a.cc", "int a;\n")
        batch = self.root / "build/x.dir/Unity/unity_0_cxx.cxx"
        self.write("build/x.dir/Unity/unity_0_cxx.cxx", f'#include "{self.root.resolve()}/src/a.cc"\n')
        self.write("build/compile_commands.json", json.dumps([
            {"directory": str(self.root / "build"), "file": str(batch), "command": f"ccache clang++-19 -Wall -o x.o -c {batch}"}]))
        self.assertEqual(check_tidy.compiled_as(self.root, self.root / "build"),
                         {"src/a.cc": (f"{self.root.resolve()}/src/a.cc", ["-Wall"])})

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *arguments], cwd=self.root, check=True,
                       capture_output=True)

    def test_changed_files(self):
        self.write("src/old.cc", "int a;\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "one")
        self.write("src/new.cc", "int b;\nint c;\n")
        self.git("add", ".")
        self.git("commit", "-qm", "two")
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("YM_TIDY_BASE", None)
            base, which = check_tidy.base_commit(self.root)
        self.assertEqual(which, f"{base[:12]} (the commit before this one)")
        self.assertEqual(check_tidy.changed(self.root, base), ["src/new.cc"])
        self.write("src/loose.cc", "int d;\n" * 3)
        self.assertEqual(check_tidy.changed(self.root, base), ["src/loose.cc", "src/new.cc"])
        self.assertEqual(check_tidy.changed(self.root, None), ["src/loose.cc", "src/new.cc", "src/old.cc"])

    def test_the_closing_line_says_what_was_left_out(self):
        self.assertEqual(check_tidy.closing_line(140, 140, None), "140 files looked at")
        self.assertEqual(check_tidy.closing_line(3, 3, "abc"), "3 of 3 changed files looked at; changed since abc")
        self.assertIn("12 of 30 changed files looked at, so partly", check_tidy.closing_line(12, 30, "abc"))

    def test_a_bug_is_found(self):
        self.write(".clang-tidy", "Checks: '-*,bugprone-*'\n")
        self.write("a.cc", "int f(int x) { if (x == 1) { return 2; } else { return 2; } }\n")
        self.write("compile_commands.json", f"""
            [{{"directory": "{self.root}", "file": "a.cc", "command": "clang++-19 -std=c++23 -c a.cc"}}]
            """)
        self.assertIn("bugprone-branch-clone", check_tidy.look(self.root, str(self.root / "a.cc"), None))
        self.write("a.cc", "int f(int x) { return x; }\n")
        self.assertIsNone(check_tidy.look(self.root, str(self.root / "a.cc"), None))


if __name__ == "__main__":
    unittest.main()
