#include "cli/views/simulate_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string notes_of(const std::string& figures) {
  FakeSession fake;
  fake.session.program.simulate = [&](const SimulateOptions&,
                                      const OnSimulateProgress&) -> Result<boost::json::object> {
    return boost::json::object{{"policies", boost::json::array{boost::json::parse(figures)}}};
  };
  EXPECT_EQ(fake.run({"simulate", "--cluster", "c.yaml", "--workload", "t.csv"}), 0);
  return fake.err.str();
}

TEST(SimulateView, SaysEachKindOfRowOnceWithItsFirstLine) {
  const auto notes = notes_of(
      R"({"passed_over": [{"why": "no job", "rows": 3, "first_line": 4}, {"why": "an id again", "rows": 1, "first_line": 9}],
          "columns_left_out": ["the column 'a'"]})");
  expect_sentence(notes);
}

TEST(SimulateView, CountsReactionsAlsoIfThereAreNone) {
  EXPECT_THAT(notes_of(R"({"reactions": {"all": 7, "moved": 0}})"), HasSubstr("note: 0 of the 7 submissions"));
  EXPECT_THAT(notes_of(R"({"reactions": {"all": 0, "moved": 0}})"), HasSubstr("note: no submission came soon after"));
  EXPECT_THAT(notes_of("{}"), Not(HasSubstr("submission")));
}

TEST(SimulateView, AFigureIsShownAsInTheTable) {
  EXPECT_EQ(figure_text("all/wait_seconds/p90", 476'333), "5d12h18m53s");
  EXPECT_EQ(figure_text("utilisation", 0.814), "81.4 %");
  EXPECT_EQ(figure_text("all/preemptions", 12), "12");
  EXPECT_EQ(figure_text("not/there", 0.5), "0.5");
}

TEST(SimulateView, NamesJobsThatCanNeverRun) {
  const auto notes = notes_of(
      R"({"never_started": 4, "can_never_run": 3, "can_never_run_first": [{"line": 3, "id": "a", "why": "it is too large"},
          {"line": 5, "id": "", "why": "it is too large"}]})");
  expect_sentence(notes);
  EXPECT_THAT(notes_of(R"({"never_started": 1, "can_never_run": 1})"), Not(HasSubstr("never started")));
}

}  // namespace
}  // namespace ym::cli
