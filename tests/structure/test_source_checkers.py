"""The checkers of source text fail on a tiny tree that breaks their rule, and pass one that does not."""

import textwrap
import unittest

import check_folders
import check_format
import check_layering
import check_sizes
import cpp_functions
from fixture import Tree


class Layering(Tree):
    def findings(self, name, text):
        self.write(name, text)
        return check_layering.check(self.root)

    def test_downwards_is_allowed(self):
        self.assertEqual(self.findings("src/engine/a.cc", '#include "base/x.h"\n#include "engine/a.h"\n#include <map>\n'), [])

    def test_upwards_is_not(self):
        found = self.findings("src/model/a.h", '#pragma once\n#include "engine/engine.h"\n')
        self.assertEqual(found, ["src/model/a.h:2: model may not include engine/engine.h"])

    def test_control_knows_the_port_only(self):
        self.assertEqual(self.findings("src/control/a.cc", '#include "store/store.h"\n'), [])
        self.assertEqual(len(self.findings("src/control/a.cc", '#include "store/sqlite/sqlite_store.h"\n')), 1)
        self.assertEqual(len(self.findings("src/control/a.cc", '#include "store/memory/memory_store.h"\n')), 1)

    def test_tests_of_control_may_use_a_store_in_memory(self):
        self.assertEqual(self.findings("src/control/a_test.cc", '#include "store/memory/memory_store.h"\n'), [])
        self.assertEqual(len(self.findings("src/control/a_test.cc", '#include "store/sqlite/sqlite_store.h"\n')), 1)

    def test_inner_library_has_rules_of_its_own(self):
        self.assertEqual(len(self.findings("src/model/a.cc", '#include "model/json/codec.h"\n')), 1)

    def test_programs_see_everything(self):
        self.assertEqual(self.findings("apps/ym/main.cc", '#include "api/x.h"\n#include "store/sqlite/x.h"\n'), [])

    def test_asio_stays_where_it_is(self):
        self.assertEqual(len(self.findings("src/api/handler.h", "#include <boost/asio/awaitable.hpp>\n")), 1)
        self.assertEqual(len(self.findings("apps/ym/main.cc", "#include <boost/beast/http.hpp>\n")), 2)
        self.assertEqual(len(self.findings("src/api/route.cc", '#include "api/http/session.h"\n')), 3)

    def test_the_engine_includes_no_clock(self):
        self.assertEqual(len(self.findings("src/engine/a.cc", "#include <chrono>\n")), 1)

    def test_what_stands_behind_the_engine_is_its_own(self):
        self.assertEqual(self.findings("src/control/a.cc", '#include "engine/plan.h"\n'), [])
        self.assertEqual(self.findings("src/control/a.cc", '#include "engine/state/impl.h"\n'),
                         ["src/control/a.cc:1: engine/state/impl.h is private to engine (PUBLIC_HEADERS in "
                          "check_layering.py)"])
        self.assertEqual(len(self.findings("apps/ym/main.cc", '#include "engine/trial.h"\n')), 2)
        self.assertEqual(len(self.findings("src/engine/b.cc", '#include "engine/state/impl.h"\n')), 2)

    def test_the_product_knows_neither_papers_nor_fault_injection(self):
        self.assertEqual(self.findings("bench/papers/a.cc", '#include "papers/a.h"\n#include "sim/site/site.h"\n'), [])
        self.assertEqual(self.findings("bench/papers/b.cc", '#include "control/x.h"\n'),
                         ["bench/papers/b.cc:1: papers may not include control/x.h"])
        self.assertEqual(len(self.findings("src/sim/a.cc", '#include "papers/a.h"\n#include "fault_injection/fault_run.h"\n')), 3)

    def test_only_tests_use_what_is_for_tests(self):
        self.assertEqual(self.findings("src/net/a_test.cc", '#include "net/testing/server.h"\n'), [])
        self.assertEqual(self.findings("src/spec/testing/a.h", '#include "spec/documents.h"\n'), [])
        found = self.findings("src/executor/local/a.cc", '#include "executor/local/testing/host.h"\n')
        self.assertEqual(found, ["src/executor/local/a.cc:1: executor/local may not include executor/local/testing/host.h"])

    def test_a_new_library_needs_a_rule(self):
        found = self.findings("src/novel/CMakeLists.txt", "ym_library(novel)\n")
        self.assertEqual(len(found), 1)


class Functions(unittest.TestCase):
    def lengths(self, text):
        return [(name, length) for name, _, length in cpp_functions.functions(textwrap.dedent(text))]

    def test_kinds_of_functions(self):
        self.assertEqual(self.lengths("""
            namespace a {
            struct S : B<int> {
              S() : x_{1}, y_(2) {
                f();
              }
              int get() const { return x_; }
              int x_{}, y_ = 0;
            };
            enum class E { one, two };
            std::vector<int> table = {1, 2};
            const auto lambda_table = std::array{f(1), f(2)};
            Result<std::map<int, int>> make(std::function<void(int)> f, int n)
                noexcept {
              auto inner = [&](int i) {
                return i;
              };
              if (n) { return {}; }
              return {};
            }
            bool S::operator==(const S& other) const {
              return true;
            }
            auto trailing() -> std::pair<int, int> {
              return {1, 2};
            }
            TEST(Suite, Name) {
            }
            }  // namespace a
            """), [("S", 3), ("get", 1), ("make", 8), ("S::operator==", 3), ("trailing", 3), ("Suite.Name", 2)])

    def test_literals_and_comments_do_not_confuse(self):
        self.assertEqual(self.lengths('''
            void f() {
              const char* s = "}{"; char c = '{'; int n = 1'000;
              auto r = R"x(}
              )")x"; /* } */  // }
            }
            #define M(x) if (x) {
            void g() {
            }
            '''), [("f", 5), ("g", 2)])

    def test_names_of_operators(self):
        self.assertEqual(self.lengths("""
            operator bool() const { return x_; }
            bool S::operator()(int a) const { return a; }
            ns::S::~S() { f(); }
            """), [("operator bool", 1), ("S::operator()", 1), ("ns::S::~S", 1)])

    def test_a_long_text_without_a_parenthesis_takes_no_time(self):
        self.assertEqual(cpp_functions._name("const " + "a_long_name_of_a_type_" * 100 + " {"), "?")


class Sizes(Tree):
    def ledger(self, *lines):
        self.write("tests/structure/sizes.txt", "".join(line + "\n" for line in lines))

    def function(self, lines):
        self.write("src/a.cc", "void f() {\n" + "  g();\n" * (lines - 2) + "}\n")

    def test_short_is_free(self):
        self.function(40)
        self.assertEqual(check_sizes.check(self.root), [])

    def test_long_needs_an_entry_and_may_not_grow(self):
        self.function(50)
        self.assertIn("should have at most 40", check_sizes.check(self.root)[0])
        self.ledger("function 50 src/a.cc f")
        self.assertEqual(check_sizes.check(self.root), [])
        self.function(51)
        self.assertIn("grew from 50 to 51", check_sizes.check(self.root)[0])

    def test_above_the_hard_limit_no_entry_helps(self):
        self.function(61)
        self.ledger("function 61 src/a.cc f")
        self.assertIn("60 at the very most", check_sizes.check(self.root)[0])

    def test_files(self):
        self.write("src/b.h", "int x;\n" * 401)
        self.assertIn("should have at most 400", check_sizes.check(self.root)[0])
        self.ledger("file 401 src/b.h -")
        self.assertEqual(check_sizes.check(self.root), [])
        self.write("src/b.h", "int x;\n" * 601)
        self.assertIn("600 at the very most", check_sizes.check(self.root)[0])

    def test_parameters(self):
        self.write("src/a.cc", "int f(int a, std::map<int, int> b, int c, int d, int e, int g) {\n  return a;\n}\n")
        self.assertIn("has 6 parameters", check_sizes.check(self.root)[0])
        self.write("src/a.cc", "int f(int a, std::map<int, int> b, int c, int d, int e) {\n  return a;\n}\n")
        self.assertEqual(check_sizes.check(self.root), [])

    def test_what_a_class_offers(self):
        functions = "".join(f"  int f{n}(int x) const;\n" for n in range(26))
        self.write("src/b.h", "class B {\n public:\n" + functions + " private:\n  int g();\n};\n")
        self.assertIn("B has 26 public functions", check_sizes.check(self.root)[0])
        self.write("src/b.h", "class B {\n" + functions + "};\n")
        self.assertEqual(check_sizes.check(self.root), [])

    def test_a_visitor_may_have_many_alternatives(self):
        overloads = "".join(f"  void operator()(const T{n}& x) const;\n  void operator()(const U{n}& x) {{ f(x); }}\n" for n in range(26))
        self.write("src/b.h", "class B {\n public:\n" + overloads + "};\n")
        self.assertEqual(check_sizes.check(self.root), [])
        self.write("src/b.h", "class B {\n public:\n" + overloads + "".join(f"  int f{n}() {{ return 1; }}\n" for n in range(26)) + "};\n")
        self.assertIn("B has 26 public functions", check_sizes.check(self.root)[0])

    def test_chains_of_includes(self):
        for n in range(20):
            self.write(f"src/h{n}.h", f'#include "h{n + 1}.h"\n')
        self.assertIn("src/h0.h has 20 headers in a row", "\n".join(check_sizes.check(self.root)))

    def test_what_shrank_is_written_down_and_nothing_else(self):
        self.function(45)
        self.write("src/b.h", "int x;\n" * 450)
        self.ledger("function 50 src/a.cc f", "file 440 src/b.h -", "file 300 src/gone.h -")
        self.assertEqual(len(check_sizes.check(self.root)), 3)
        check_sizes.update(self.root)
        self.assertEqual(check_sizes.read_ledger(self.root),
                         {("function", "src/a.cc", "f"): 45, ("file", "src/b.h", "-"): 440})
        self.assertIn("grew from 440 to 450", check_sizes.check(self.root)[0])

    def test_python_too(self):
        for folder in ("tests", "sdk/python/yardmaster", "bench/figures", "deploy"):
            self.write(f"{folder}/a.py", "def f():\n" + "    g()\n" * 60)
        self.assertEqual([found.count("60 at the very most") for found in check_sizes.check(self.root)], [1] * 4)


class Format(Tree):
    def test_both_ways(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.write("src/a.cc", "int f() { return 1; }\n")
        self.assertEqual(check_format.check(self.root), [])
        self.write("src/b.cc", "int   g( ){return 1;}\n")
        self.assertEqual(len(check_format.check(self.root)), 1)


class Folders(Tree):
    def test_readme(self):
        self.write("src/a/x.cc", "")
        self.assertEqual(check_folders.check(self.root), ["src/a: has no README.md"])
        self.write("src/a/README.md", "# a\n")
        self.assertIn("says too little", check_folders.check(self.root)[0])
        self.write("src/a/README.md", "# a\n\nWhat it is.\n")
        self.assertEqual(check_folders.check(self.root), [])
        self.write("src/a/README.md", "line\n" * 61)
        self.assertIn("61 lines", check_folders.check(self.root)[0])

    def test_a_folder_with_too_many_sources_is_found(self):
        self.write("src/a/README.md", "# a\n\nWhat it is.\n")
        for number in range(46):
            self.write(f"src/a/x{number}.h", "")
            self.write(f"src/a/x{number}_test.cc", "")
        self.assertEqual(check_folders.check(self.root), ["src/a: has 46 sources; at most 45 are allowed"])

    def test_links(self):
        for folder in ("docs", "sdk/python"):
            self.write(f"{folder}/a.md", "[x](b.md) [y](https://example.org/z) [z](#part)\n")
        self.assertEqual(check_folders.check(self.root), [f"{folder}/a.md: the link to b.md leads nowhere"
                                                          for folder in ("docs", "sdk/python")])


if __name__ == "__main__":
    unittest.main()
