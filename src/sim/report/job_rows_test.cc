#include "sim/report/job_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/testing/sentences.h"
#include "sim/testing/temp_file.h"

namespace ym::sim {
namespace {

TEST(JobRows, AreCsvThatNoSpreadsheetCalculates) {
  const TempFile file("");
  auto rows = JobRows::create(file.path());
  ASSERT_TRUE(rows);
  JobRecord record{.id = JobId{7},
                   .trace_id = "=cmd|' /C calc'!A0",
                   .user = "a,\"b\"",
                   .queue = "q",
                   .gpu_milli = 500,
                   .run_time = seconds(3),
                   .submitted_at = {0},
                   .ended_at = {4500},
                   .state = JobState::cancelled};
  rows->add(record);
  record.started_at = Instant{1500};
  record.used_gpu_ms = 3'600'000;
  rows->add(record);
  ASSERT_TRUE(rows->close());
  std::ostringstream text;
  text << std::ifstream(file.path()).rdbuf();
  EXPECT_THAT(text.str(), ::testing::StartsWith("id,trace_id,user,queue,gpus,"));
  EXPECT_THAT(text.str(),
              ::testing::HasSubstr(
                  ",'=cmd|' /C calc'!A0,\"a,\"\"b\"\"\",q,0.5,1,1970-01-01T00:00:00.000Z,,4.500,3.000,CANCELLED,"));
  EXPECT_THAT(text.str(), ::testing::HasSubstr(",1.500,4.500,3.000,CANCELLED,0,0,1.000,0.000\n"));
}

TEST(JobRows, CannotBeWrittenWhereThereIsNoFolder) {
  testing::expect_refused(JobRows::create("/nowhere/jobs.csv"), ErrorCode::io);
}

}  // namespace
}  // namespace ym::sim
