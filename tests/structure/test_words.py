"""The checker of words fails on a document, a source or a name with an idiom, and passes plain words."""

import check_words
import tree
from fixture import Tree

WORDS = "# a comment\n\nso (many|much) => the number\nwho(m|ever) => the subject\n"


class Words(Tree):
    def findings(self, text, name="docs/guide/a.md"):
        self.write(name, text)
        return check_words.check(self.root, WORDS)

    def test_an_idiom_is_found_with_its_place(self):
        self.assertEqual(self.findings("# A\n\nA job for whom\nso many wait.\n"),
                         ["docs/guide/a.md:3: 'whom'; write the subject", "docs/guide/a.md:4: 'so many'; write the number"])

    def test_a_line_may_break_within(self):
        self.assertEqual(self.findings("- It takes So\n  Much.\n"), ["docs/guide/a.md:1: 'So Much'; write the number"])

    def test_whole_words_only(self):
        self.assertEqual(self.findings("Also many a somewhat-whom.\n"), [])

    def test_code_and_links_are_not_prose(self):
        self.assertEqual(self.findings("`so many` and [a page](whom.md):\n\n    so many\n\n    whom\n\n```\nwhom\n```\n"), [])
        self.assertEqual(len(self.findings("Text after it:\n\n    code\n\nso many\n")), 1)

    def test_which_documents(self):
        for name in ("README.md", "docs/glossary.md", "docs/guide/deep/b.md"):
            self.assertEqual(len(self.findings("whom\n", name)), 1)
            (self.root / name).unlink()
        self.assertEqual(self.findings("whom\n", "docs/design/a.md"), [])

    def found_in(self, text, name="src/cli/a.cc"):
        found = [finding.split(": ")[0] + ": " + finding.split("'")[1] for finding in self.findings(text, name)]
        (self.root / name).unlink()
        return found

    def test_comments_and_messages_of_sources(self):
        text = '// Waits so many seconds.\nint f() {  // for whom\n  return fail("it takes so much");\n}\n'
        self.assertEqual(self.found_in(text),
                         ["src/cli/a.cc:1: so many", "src/cli/a.cc:2: whom", "src/cli/a.cc:3: so much"])
        text = '"""So many."""\nX = 1  # for whom\n\n\ndef f():\n    raise E(f"{x} so much")\n'
        self.assertEqual(self.found_in(text, "sdk/python/a.py"),
                         ["sdk/python/a.py:1: So many", "sdk/python/a.py:2: whom", "sdk/python/a.py:6: so much"])

    def test_a_sentence_goes_on_in_the_next_line(self):
        self.assertEqual(self.found_in("  // It takes so\n  // many of them.\n"), ["src/cli/a.cc:1: so many"])
        self.assertEqual(self.found_in('f("it takes so "\n  "many of them");\n'), ["src/cli/a.cc:1: so many"])
        self.assertEqual(self.found_in('x = f("it takes so "\n      "many of them")\n', "sdk/a.py"), ["sdk/a.py:1: so many"])
        self.assertEqual(self.found_in('f("at\\nwhom it is");\n'), ["src/cli/a.cc:1: whom"])
        self.assertEqual(self.found_in('f("it takes so ", "many of them");\n'), [])
        self.assertEqual(self.found_in("int so;  // so\nint many;  // many\n"), [])

    def test_code_is_not_a_sentence(self):
        for code in ("int whom = so_many(0);\n", '#include "whom.h"\n', 'f("whom");\n', "char c = '\"'; int whom; f('\"');\n",
                     "// The field `whom`.\n", 'f("write `whom` there");\n', "int i = 1'000; int whom;\n"):
            self.assertEqual(self.found_in(code), [], code)
        for code in ("whom = 1\n", 'f("whom")\n', '"""Not `whom`."""\n'):
            self.assertEqual(self.found_in(code, "sdk/a.py"), [], code)

    def test_raw_strings(self):
        self.assertEqual(self.found_in('f(R"sh(echo "for\nwhom")sh"); int so, many;\n'), ["src/cli/a.cc:2: whom"])

    def test_which_sources(self):
        for folder in check_words.SOURCES:
            for name in ("a.h", "deep/a.cc", "a.py"):
                text = "# whom\n" if name.endswith("py") else "// whom\n"
                self.assertEqual(len(self.findings(text, f"{folder}/{name}")), 1, f"{folder}/{name}")
                (self.root / folder / name).unlink()
        for name in ("src/cli/a_test.cc", "src/cli/testing/a.h", "sdk/tests/a.cc", "src/cli/test_a.h", "docs/a.h"):
            self.assertEqual(self.findings("// whom\n", name), [], name)

    def test_the_folders_of_sources_exist(self):
        for folder in check_words.SOURCES:
            self.assertTrue((tree.ROOT / folder).is_dir(), folder)

    def named(self, text, name="src/cli/a.cc"):
        self.write(name, text)
        found = [finding.split("`")[1] for finding in check_words.check_names(self.root, "victim victims => preempted job\n")]
        (self.root / name).unlink()
        return found

    def test_names_are_taken_apart(self):
        self.assertEqual(self.named("int victim, victims_, kVictim; Victim f(IsVICTIM); struct NoVictims {};\n"),
                         ["IsVICTIM", "NoVictims", "Victim", "kVictim", "victim", "victims_"])
        self.assertEqual(self.named("int victimless, convict, im;\n"), [])

    def test_only_code_has_names(self):
        self.assertEqual(self.named('#include "victim.h"\n// victim\nf("victim", R"(victim)", \'v\');\n'), [])

    def test_files_have_names(self):
        self.assertEqual(self.named("int a;\n", "tests/deep/victim_test.cc"), ["victim_test"])
        self.assertEqual(self.named("int victim;\n", "bench/papers/a.cc"), [])

    def test_a_line_of_the_list_says_what_to_write(self):
        for line in ("whom\n", "whom => \n"):
            with self.assertRaises(ValueError):
                check_words.idioms(line)

    def test_the_list_itself(self):
        self.assertTrue(check_words.idioms(check_words.WORDS.read_text(encoding="utf-8")))
        self.assertTrue(list(check_words.entries(check_words.NAMES.read_text(encoding="utf-8"))))
