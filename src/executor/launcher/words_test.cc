#include "executor/launcher/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ym {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

std::string variable(const std::string& name) {
  if (name == "DIR") return "/ckpt/a";
  if (name == "TWO") return "x  y";
  if (name == "STAR") return "*";
  return {};
}

auto split(std::string_view line) { return split_words(line, variable); }

TEST(SplitWords, CutsAtBlanks) {
  EXPECT_THAT(split("train.py --config  big.yaml\t--lr=1e-4 "),
              Optional(ElementsAre("train.py", "--config", "big.yaml", "--lr=1e-4")));
}

TEST(SplitWords, TakesQuotesAndBackslashesAway) {
  EXPECT_THAT(split(R"(a 'b c' "d e" f\ g "h\"i\z" '' j'k'"l")"),
              Optional(ElementsAre("a", "b c", "d e", "f g", "h\"i\\z", "", "jkl")));
}

TEST(SplitWords, PutsVariablesIn) {
  EXPECT_THAT(split("a --out $DIR/x ${DIR}y"), Optional(ElementsAre("a", "--out", "/ckpt/a/x", "/ckpt/ay")));
  EXPECT_THAT(split("a $TWO \"$TWO\" '$TWO'"), Optional(ElementsAre("a", "x", "y", "x  y", "$TWO")));
  EXPECT_THAT(split("a $UNSET \"$UNSET\" b"), Optional(ElementsAre("a", "", "b")));
}

TEST(SplitWords, LeavesTheRestToAShell) {
  for (const char* line :
       {"a; b",  "a | b", "a && b",  "a > f", "a < f", "a $(b)", "a `b`",     "a \"`b`\"", "a *.py", "a ?",
        "a [b]", "a\nb",  "~/a",     "a ~",   "# a",   "A=1 b",  "a ${B:-c}", "a $1",      "a $",    "a 'b",
        "a \"b", "a\\",   "a {b,c}", "(a)",   "",      "  ",     "$STAR",     "!a"})
    EXPECT_EQ(split(line), std::nullopt) << line;
}

TEST(SplitWords, KnowsWhereASignIsHarmless) {
  EXPECT_THAT(split("a b~ b#c x=y"), Optional(ElementsAre("a", "b~", "b#c", "x=y")));
  EXPECT_THAT(split("a \"*;|&\" '`'"), Optional(ElementsAre("a", "*;|&", "`")));
}

}  // namespace
}  // namespace ym
