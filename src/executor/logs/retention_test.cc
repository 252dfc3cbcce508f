#include "executor/logs/retention.h"

#include <gtest/gtest.h>

#include <fstream>

namespace ym {
namespace {

using Places = std::vector<std::size_t>;

TEST(Retention, TheOldestGoUntilTheRestIsYoungAndLittleEnough) {
  const std::vector<RetainedFiles> kept{
      {.since = {300}, .bytes = 10}, {.since = {100}, .bytes = 10}, {.since = {200}, .bytes = 10}};
  EXPECT_EQ(due_for_removal(kept, {.age = {1000}, .bytes = 30}, {400}), Places{});
  EXPECT_EQ(due_for_removal(kept, {.age = {250}, .bytes = 30}, {400}), Places{1});
  EXPECT_EQ(due_for_removal(kept, {.age = {1000}, .bytes = 15}, {400}), (Places{1, 2}));
  EXPECT_EQ(due_for_removal(kept, {.age = {0}, .bytes = 0}, {400}), (Places{1, 2, 0}));
  EXPECT_EQ(due_for_removal({}, {}, {400}), Places{});
}

TEST(Retention, CountsWhatIsBelowAFolderAndFollowsNoLink) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "retention";
  std::filesystem::remove_all(folder);
  EXPECT_EQ(bytes_below(folder), 0);
  EXPECT_TRUE(folders_in(folder).empty());
  std::filesystem::create_directories(folder / "a" / "b");
  std::ofstream(folder / "a" / "b" / "log") << std::string(20'000, 'x');
  std::filesystem::create_directory_symlink(folder / "a", folder / "link");
  EXPECT_GE(bytes_below(folder), 20'000);
  EXPECT_LT(bytes_below(folder), 40'000);
  EXPECT_EQ(folders_in(folder), std::vector{folder / "a"});
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace ym
