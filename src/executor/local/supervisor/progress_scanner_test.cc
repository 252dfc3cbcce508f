#include "executor/local/supervisor/progress_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "executor/local/attempt/raw_report.h"

namespace ym::local {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> found_in(const std::string& output, std::size_t piece) {
  ProgressScanner scanner;
  std::vector<std::string> found;
  for (std::size_t at = 0; at < output.size(); at += piece)
    for (auto& report : scanner.scan(std::string_view(output).substr(at, piece))) found.push_back(std::move(report));
  for (auto& report : scanner.finish()) found.push_back(std::move(report));
  return found;
}

TEST(ProgressScanner, FindsItsLinesHoweverTheyArrive) {
  const std::string output =
      "epoch 1\nYM_PROGRESS {\"step\": 1}\nYM_PROGRESS_ {}\nYM_YM_PROGRESS x\nYM_PROGRESS {\"step\": 2} \r\n\n"
      "YM_PROGRESS oops\nYM_PROGRESS {\"last\": 1}";
  for (std::size_t piece = 1; piece <= output.size(); ++piece)
    EXPECT_THAT(found_in(output, piece), ElementsAre("{\"step\": 1}", "{\"step\": 2}", "oops", "{\"last\": 1}"))
        << "in pieces of " << piece;
}

TEST(ProgressScanner, AProgressBarInFrontIsNoHindrance) {
  const std::string output =
      "\r 10%|# | 1/10 [00:01<00:09]YM_PROGRESS {\"step\": 1}\n[rank0]:YM_PROGRESS {\"step\": 2}\n";
  for (std::size_t piece = 1; piece <= output.size(); ++piece)
    EXPECT_THAT(found_in(output, piece), ElementsAre("{\"step\": 1}", "{\"step\": 2}")) << "in pieces of " << piece;
}

TEST(ProgressScanner, ACommandThatIsShownIsNoReport) {
  EXPECT_THAT(found_in("+ echo 'YM_PROGRESS {\"step\": 1}'\nprint(f\"YM_PROGRESS {json.dumps(x)}\")\n", 1000),
              IsEmpty());
}

TEST(ProgressScanner, ALineThatIsTooLongIsCutWhereThatShows) {
  const std::string most(kMaxReport - 2, ' ');
  EXPECT_THAT(found_in("YM_PROGRESS {" + most + "}\n", 1000), ElementsAre("{" + most + "}"));
  const auto found = found_in("YM_PROGRESS {" + std::string(100'000, 'x') + "}\nYM_PROGRESS {}\n", 1000);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].size(), kMaxReport + 1);
  EXPECT_EQ(found[1], "{}");
  EXPECT_THAT(found_in("x YM_PROGRESS {" + std::string(kMaxReport - 1, 'x') + "}}", 1000), IsEmpty());
}

TEST(ProgressScanner, ALongLineWithoutAMarkCostsNothing) {
  ProgressScanner scanner;
  const std::string zeros(1 << 16, '\0');
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(scanner.scan(zeros).empty());
}

}  // namespace
}  // namespace ym::local
