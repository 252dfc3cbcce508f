"""The checker of words fails on a document with an idiom, and passes plain words."""

import check_words
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

    def test_a_line_of_the_list_says_what_to_write(self):
        for line in ("whom\n", "whom => \n"):
            with self.assertRaises(ValueError):
                check_words.idioms(line)

    def test_the_list_itself(self):
        self.assertTrue(check_words.idioms(check_words.WORDS.read_text(encoding="utf-8")))
