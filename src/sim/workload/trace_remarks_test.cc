// Rows of a trace that are not jobs, and columns that are not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/testing/sentences.h"
#include "sim/testing/temp_file.h"
#include "sim/workload/workload.h"

namespace ym::sim {
namespace {

using ::testing::IsEmpty;
using ym::testing::expect_refused;
using ym::testing::expect_sentence;

struct Read {
  std::vector<TraceJob> jobs;
  TraceRemarks remarks;
  std::int64_t skipped = 0;
};

Read read(const std::string& text) {
  const TempFile file(text);
  auto workload = Workload::open({.path = file.path()});
  if (!workload) return ADD_FAILURE() << workload.error().message, Read{};
  auto jobs = rest_of(*workload);
  if (!jobs) return ADD_FAILURE() << jobs.error().message, Read{};
  return {.jobs = std::move(*jobs), .remarks = workload->remarks(), .skipped = workload->skipped()};
}

constexpr const char* kHeader = "JobID|Submit|Start|End|State\n";
// Summer time ended that night: the clock showed 02:50, and twenty minutes later 02:10.
constexpr const char* kBack = "|2025-10-26T02:40:00|2025-10-26T02:50:00|2025-10-26T02:10:00|COMPLETED";

TEST(TraceRemarks, WhatSlurmRecordsWhileClocksGoBackIsCountedOnce) {
  const auto made = read(std::string(kHeader) + "1" + kBack +
                         "\n2|2025-10-26T02:40:00|2025-10-26T02:50:00|2025-10-26T02:55:00|COMPLETED\n3" + kBack + "\n");
  ASSERT_EQ(made.jobs.size(), 1U);
  EXPECT_EQ(made.jobs[0].id, "2");
  ASSERT_EQ(made.remarks.skipped.size(), 1U);
  EXPECT_EQ(made.remarks.skipped[0].rows, 2);
  EXPECT_EQ(made.remarks.skipped[0].first_line, 2);
}

TEST(TraceRemarks, WhatSlurmHasCountedStandsWhereClocksGoBack) {
  const auto raw = read("JobID|Submit|Start|End|State|ElapsedRaw\n1" + std::string(kBack) + "|1200\n");
  ASSERT_EQ(raw.jobs.size(), 1U);
  EXPECT_EQ(raw.jobs[0].run_time, minutes(20));
  const auto written = read("JobID|Submit|Start|End|State|Elapsed\n1" + std::string(kBack) + "|00:20:00\n");
  ASSERT_EQ(written.jobs.size(), 1U);
  EXPECT_EQ(written.jobs[0].run_time, minutes(20));
  EXPECT_THAT(written.remarks.skipped, IsEmpty());
}

Result<Workload> opened(const std::string& text, const std::string& format = "") {
  const TempFile file(text);
  return without_path(Workload::open({.path = file.path(), .format = format}), file.path());
}

void expect_sentences(const std::vector<std::string>& said, std::size_t count) {
  EXPECT_EQ(said.size(), count);
  for (const std::string& sentence : said) expect_sentence(sentence);
}

TEST(TraceRemarks, ATraceWithAnEmptyColumnIsNotToldToAddIt) {
  const auto why = [](const std::string& column) {
    const auto made = read("JobID|Submit|Start|End|State" + column + "\n1" + kBack + (column.empty() ? "" : "|") +
                           "\n2|2025-10-26T02:40:00|2025-10-26T02:50:00|2025-10-26T02:55:00|COMPLETED" +
                           (column.empty() ? "" : "|300") + "\n");
    return made.remarks.skipped.at(0).why;
  };
  expect_sentence(why(""));
  expect_sentence(why("|ElapsedRaw"));
  expect_sentence(why("|Elapsed"));
}

TEST(TraceRemarks, WhereAllIsPassedOverItIsSaidWhat) {
  expect_refused(opened("JobID|Submit|Start|End|State|ElapsdRaw\n1" + std::string(kBack) + "|9\n2" + kBack +
                        "|9\n3|2025-10-26T02:40:00|Unknown|Unknown|PENDING|\n"),
                 ErrorCode::invalid);
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
  ASSERT_EQ(made.remarks.skipped.size(), 2U) << "each kind once";
  EXPECT_EQ(made.remarks.skipped[0].rows, 2);
  EXPECT_EQ(made.remarks.skipped[0].first_line, 3);
  expect_sentence(made.remarks.skipped[1].why);
  EXPECT_EQ(made.remarks.skipped[1].rows, 2);
  EXPECT_EQ(made.skipped, 4);
}

TEST(TraceRemarks, ColumnsThatAreNotReadAreNamed) {
  const auto made = read("submit,run_time,gpus,priorty,colour,gpus\n0,1,1,90,red,2\n");
  EXPECT_EQ(made.jobs.at(0).gpus, 1);
  EXPECT_FALSE(made.jobs.at(0).priority);
  expect_sentences(made.remarks.columns, 3);
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
  expect_sentences(remarks_of_sacct("ReqTres|TimelimitRaw"), 1);
  expect_sentences(remarks_of_sacct("ReqTRES|x"), 1);
}

TEST(TraceRemarks, AMistypedOptionalColumnIsNamed) {
  const auto remarks = [](const std::string& more) { return remarks_of_sacct("ReqTRES|Timelimit|" + more); };
  expect_sentences(remarks("ElapsdRaw"), 1);
  expect_sentences(remarks("Elapsd"), 1);
  expect_sentences(remarks("Acount|Partition|Usr|NNode"), 3);
  EXPECT_THAT(remarks("UserCPU|JobIDRaw|SubmitLine|NTasks|Priority|ReqNodes"), IsEmpty());
}

TEST(TraceRemarks, AMistypedRequiredColumnIsNamed) {
  const std::string row = "0,1,1\n";
  expect_refused(opened("submit,run_tiem,gpus\n" + row), ErrorCode::invalid);
  expect_refused(opened("sumbit,runtime,gpus\n" + row), ErrorCode::invalid);
  expect_refused(opened("submit,run_tiem,gpus\n" + row, "csv"), ErrorCode::invalid);
  expect_refused(opened("JobID|Sumbit|Start|End|State\n1|2|3|4|5\n"), ErrorCode::invalid);
  expect_refused(opened("submit,gpus,colour\n" + row), ErrorCode::invalid);
}

}  // namespace
}  // namespace ym::sim
