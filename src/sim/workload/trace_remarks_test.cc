// What of a trace is no job, and what of its columns nobody reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/testing/temp_file.h"
#include "sim/workload/workload.h"

namespace ym::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Read {
  std::vector<TraceJob> jobs;
  TraceRemarks remarks;
  std::int64_t passed_over = 0;
};

Read read(const std::string& text) {
  const TempFile file(text);
  auto workload = Workload::open({.path = file.path()});
  if (!workload) return ADD_FAILURE() << workload.error().message, Read{};
  auto jobs = rest_of(*workload);
  if (!jobs) return ADD_FAILURE() << jobs.error().message, Read{};
  return {.jobs = std::move(*jobs), .remarks = workload->remarks(), .passed_over = workload->passed_over()};
}

constexpr const char* kHeader = "JobID|Submit|Start|End|State\n";
// Summer time ended in the night: the clock showed 02:50, and twenty minutes later 02:10.
constexpr const char* kBack = "|2025-10-26T02:40:00|2025-10-26T02:50:00|2025-10-26T02:10:00|COMPLETED";

TEST(TraceRemarks, WhatSlurmRecordsWhileClocksGoBackIsCountedOnce) {
  const auto made = read(std::string(kHeader) + "1" + kBack +
                         "\n2|2025-10-26T02:40:00|2025-10-26T02:50:00|2025-10-26T02:55:00|COMPLETED\n3" + kBack + "\n");
  ASSERT_EQ(made.jobs.size(), 1U);
  EXPECT_EQ(made.jobs[0].id, "2");
  ASSERT_EQ(made.remarks.passed_over.size(), 1U);
  EXPECT_EQ(made.remarks.passed_over[0].rows, 2);
  EXPECT_EQ(made.remarks.passed_over[0].first_line, 2);
}

TEST(TraceRemarks, WhatSlurmHasCountedStandsWhereClocksGoBack) {
  const auto raw = read("JobID|Submit|Start|End|State|ElapsedRaw\n1" + std::string(kBack) + "|1200\n");
  ASSERT_EQ(raw.jobs.size(), 1U);
  EXPECT_EQ(raw.jobs[0].run_time, minutes(20));
  const auto written = read("JobID|Submit|Start|End|State|Elapsed\n1" + std::string(kBack) + "|00:20:00\n");
  ASSERT_EQ(written.jobs.size(), 1U);
  EXPECT_EQ(written.jobs[0].run_time, minutes(20));
  EXPECT_THAT(written.remarks.passed_over, IsEmpty());
}

TEST(TraceRemarks, TimesWithAZoneOfFourDigitsAreRead) {
  const auto made = read(std::string(kHeader) +
                         "1|2025-10-26T02:40:00+0200|2025-10-26T02:50:00+0200|2025-10-26T02:10:00+0100|COMPLETED\n");
  ASSERT_EQ(made.jobs.size(), 1U);
  EXPECT_EQ(to_rfc3339(made.jobs[0].submit_at), "2025-10-26T00:40:00.000Z");
  EXPECT_EQ(made.jobs[0].run_time, minutes(20));
  EXPECT_EQ(read("submit,run_time,gpus\n2025-10-26 02:40:00-0130,1,1\n").jobs.at(0).submit_at,
            *parse_rfc3339("2025-10-26T04:10:00Z"));
}

TEST(TraceRemarks, IdsOfSlurmThatComeAgainAreCountedAndTheFirstStands) {
  const std::string at = "|2025-01-01T02:00:00|2025-01-01T02:00:00|2025-01-01T03:0";
  const auto made = read(std::string(kHeader) + "1" + at + "0:00|COMPLETED\n1" + at + "5:00|COMPLETED\n1.batch" + at +
                         "0:00|COMPLETED\n2|2025-01-01T02:00:00|Unknown|Unknown|PENDING\n1" + at + "7:00|COMPLETED\n");
  ASSERT_EQ(made.jobs.size(), 1U);
  EXPECT_EQ(made.jobs[0].run_time, hours(1));
  ASSERT_EQ(made.remarks.passed_over.size(), 2U) << "each kind once";
  EXPECT_EQ(made.remarks.passed_over[0].rows, 2);
  EXPECT_EQ(made.remarks.passed_over[0].first_line, 3);
  EXPECT_EQ(made.remarks.passed_over[1].why, "no job that began and ended");
  EXPECT_EQ(made.remarks.passed_over[1].rows, 2);
  EXPECT_EQ(made.passed_over, 4);
}

TEST(TraceRemarks, ColumnsThatNobodyReadsAreNamed) {
  const auto made = read("submit,run_time,gpus,priorty,colour,gpus\n0,1,1,90,red,2\n");
  EXPECT_EQ(made.jobs.at(0).gpus, 1);
  EXPECT_FALSE(made.jobs.at(0).priority);
  EXPECT_THAT(made.remarks.columns, ElementsAre(AllOf(HasSubstr("'priorty'"), HasSubstr("did you mean priority?")),
                                                AllOf(HasSubstr("'colour'"), HasSubstr("exit_code")),
                                                AllOf(HasSubstr("'gpus'"), HasSubstr("twice"))));
  EXPECT_THAT(read("id,submit,run_time,gpus,queue,time_limit\na,0,1,1,q,5\n").remarks.columns, IsEmpty());
}

std::vector<std::string> remarks_of_sacct(const std::string& more) {
  const std::string empty(static_cast<std::size_t>(std::ranges::count(more, '|')), '|');
  return read("JobID|Submit|Start|End|State|" + more +
              "\n1|2025-01-01T02:00:00|2025-01-01T02:00:00|2025-01-01T03:00:00|COMPLETED|" + empty + "\n")
      .remarks.columns;
}

TEST(TraceRemarks, ColumnsOfOtherFormatsAreTheirOwn) {
  EXPECT_THAT(remarks_of_sacct("Anything|AllocTRES|TimelimitRaw"), IsEmpty());
}

TEST(TraceRemarks, ColumnsThatAreMissedAreNamed) {
  EXPECT_THAT(remarks_of_sacct("ReqTres|TimelimitRaw"),
              ElementsAre(AllOf(HasSubstr("no column ReqTRES"), HasSubstr("GPUs"), HasSubstr("is it 'ReqTres'?"))));
  EXPECT_THAT(remarks_of_sacct("ReqTRES|x"), ElementsAre(HasSubstr("no column Timelimit")));
}

}  // namespace
}  // namespace ym::sim
