#include "executor/local/attempt/raw_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "executor/local/attempt/checksum.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/testing/folder.h"

#include <fcntl.h>
#include <stdlib.h>

namespace ym::local {
namespace {

using namespace std::string_literals;

class Records : public ::testing::Test {
 protected:
  TestFolder folder_;
  const Claim claim_{.token = {JobId{5}, 1, 2}, .task = 3, .nonce = "aabb"};
};

TEST_F(Records, AnEndCarriesWhatWasSaidLast) {
  const std::vector<RawReport> said{{.number = 1, .at = {5}, .text = "{}"},
                                    {.number = 7, .at = {9}, .text = "any\0 \xff"s}};
  ASSERT_TRUE(write_exit(folder_.fd.get(), claim_, {.exit = {.exit_code = 0}, .progress = said}));
  EXPECT_EQ(read_exit(folder_.fd.get(), claim_)->progress, said);
}

TEST_F(Records, AnEndOfTheVersionBeforeIsUnderstood) {
  ASSERT_TRUE(write_exit(folder_.fd.get(), claim_, {.exit = {.exit_code = 4}}));
  auto text = *read_file(folder_.fd.get(), kExitFile, 1 << 20);
  const std::string head = "yardmaster exit 3\n";
  ASSERT_TRUE(text.starts_with(head));
  text = "yardmaster exit 2\n" + text.substr(head.size(), text.rfind("sum ") - head.size());
  ASSERT_TRUE(write_durably(folder_.fd.get(), kExitFile, text + "sum " + hex(checksum(text)) + "\n"));
  const auto end = read_exit(folder_.fd.get(), claim_);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit.exit_code, 4);
  EXPECT_TRUE(end->progress.empty());
}

TEST_F(Records, ALaunchRemembersTheCheckpointsThatWereGone) {
  const std::vector<Checkpoint> gone{{.uri = "/a b\nc", .step = 5, .durable_at = {7}, .attempt = 2}, {.uri = ""}};
  const LaunchRecord launch{.token = claim_.token, .argv = {"true"}, .gone = gone};
  ASSERT_TRUE(write_durably(folder_.fd.get(), kLaunchFile, encode(launch)));
  EXPECT_EQ(read_launch(folder_.fd.get())->gone, gone);
}

TEST(RawReport, IsOneLineAndShowsThatItWasCut) {
  EXPECT_EQ(as_one_line("{\n}\n"), "{ } ");
  EXPECT_EQ(as_one_line(std::string(kMaxReport + 100, 'x')).size(), kMaxReport + 1);
}

}  // namespace
}  // namespace ym::local
