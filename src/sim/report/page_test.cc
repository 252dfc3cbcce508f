#include "sim/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "sim/report/embedded.h"
#include "sim/report/report_json.h"

namespace ym::sim {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

boost::json::object report_named(const std::string& name) {
  SimulationEnd end;
  end.end = {120'000};
  end.gpu_milli = 8000;
  end.timeline.begin(end.begin);
  end.timeline.set("gpus", 8000);
  end.timeline.advance_to(end.end);
  Summary summary;
  summary.add({.queue = name,
               .gpu_milli = 8000,
               .started_at = Instant{1000},
               .ended_at = {120'000},
               .state = JobState::succeeded});
  auto figures = to_json(end, summary);
  add_timeline(figures, end, summary);
  figures["policy"] = name;
  return {{"workload", name}, {"format", "csv"}, {"policies", boost::json::array{std::move(figures)}}};
}

TEST(Page, HasAllThatItShowsInIt) {
  const auto page = to_page(report_named("fair.yaml"));
  EXPECT_THAT(page, HasSubstr(R"("means":{"gpus":[8E3,8E3]})"));
  EXPECT_THAT(page, HasSubstr(chart_library()));
  EXPECT_THAT(page, HasSubstr(page_script()));
  EXPECT_THAT(page, HasSubstr("default-src 'none'")) << "so that nothing can be loaded";
  EXPECT_THAT(page, Not(HasSubstr("{{"))) << "of the frame nothing is left open";
}

TEST(Page, WhatFilesAreCalledIsNoMarkup) {
  const auto page = to_page(report_named("</script><img src=x onerror=alert(1)>"));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>\\u003cimg src=x onerror=alert(1)>"));
}

TEST(Page, CannotBeWrittenWhereThereIsNoFolder) {
  testing::expect_refused(write_page("/nowhere/page.html", report_named("x")), ErrorCode::io);
}

}  // namespace
}  // namespace ym::sim
