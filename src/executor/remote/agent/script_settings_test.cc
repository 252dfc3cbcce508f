#include "executor/remote/agent/script_settings.h"

#include <gtest/gtest.h>

namespace ym::remote {
namespace {

std::string error_of(const std::string& script) {
  const auto settings = parse_settings(script);
  return settings ? "none" : settings.error().message;
}

TEST(ScriptSettings, AreTheLinesThatAShellWouldExport) {
  const auto settings =
      parse_settings("#!/opt/ym-task\nexport A='it'\\''s $HOME'\nexport B_2='two\nlines'\nexport C=''\n");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(*settings, (Environment{{"A", "it's $HOME"}, {"B_2", "two\nlines"}, {"C", ""}}));
  EXPECT_EQ(parse_settings("#!/opt/ym-task\n"), Environment{});
}

TEST(ScriptSettings, AnythingElseIsRefusedByItsLineAndWithoutItsValue) {
  EXPECT_EQ(error_of(""), "line 1 does not begin with #!");
  EXPECT_EQ(error_of("#!/x\nexport A='1'\nexport T='secret\n"), "line 3 is not export NAME='value'");
  EXPECT_EQ(error_of("#!/x\nexport T=secret\n"), "line 2 is not export NAME='value'");
  EXPECT_EQ(error_of("#!/x\nexport T='secret'; rm -rf x\n"), "line 2 is not export NAME='value'");
  EXPECT_EQ(error_of("#!/x\nexport T U='secret'\n"), "line 2 is not export NAME='value'");
}

TEST(ScriptSettings, AFileThatIsNotThereIsNamed) {
  Environment env;
  const auto added = add_settings("/nowhere/script", env);
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().message.find("/nowhere/script"), std::string::npos);
}

}  // namespace
}  // namespace ym::remote
