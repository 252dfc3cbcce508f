#include "executor/remote/agent/script_settings.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"

namespace ym::remote {
namespace {

using ym::testing::expect_refused;

TEST(ScriptSettings, AreTheLinesThatAShellWouldExport) {
  const auto settings =
      parse_settings("#!/opt/ym-task\nexport A='it'\\''s $HOME'\nexport B_2='two\nlines'\nexport C=''\n");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(*settings, (Environment{{"A", "it's $HOME"}, {"B_2", "two\nlines"}, {"C", ""}}));
  EXPECT_EQ(parse_settings("#!/opt/ym-task\n"), Environment{});
}

TEST(ScriptSettings, AnythingElseIsRefusedByItsLineAndWithoutItsValue) {
  for (const auto& [script, line] : {std::pair{"", "line 1 "},
                                     {"#!/x\nexport A='1'\nexport T='secret\n", "line 3 "},
                                     {"#!/x\nexport T=secret\n", "line 2 "},
                                     {"#!/x\nexport T='secret'; rm -rf x\n", "line 2 "},
                                     {"#!/x\nexport T U='secret'\n", "line 2 "}}) {
    const auto settings = parse_settings(script);
    expect_refused(settings, ErrorCode::invalid);
    if (!settings) EXPECT_TRUE(settings.error().message.starts_with(line)) << settings.error().message;
  }
}

TEST(ScriptSettings, AFileThatIsNotThereIsNamed) {
  Environment env;
  expect_refused(add_settings("/nowhere/script", env), ErrorCode::not_found);
}

}  // namespace
}  // namespace ym::remote
