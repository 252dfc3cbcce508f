#include "executor/local/supervisor/notice.h"

#include <gtest/gtest.h>

namespace ym::local {
namespace {

TEST(Notice, SaysWhyUntilWhenAndHowLong) {
  EXPECT_EQ(notice_text(WhyStopped::preemption, {1'795'261'668'123}, seconds(30)),
            "{\"reason\": \"preemption\", \"deadline\": \"2026-11-21T11:47:48.123Z\", \"grace_seconds\": 30}\n");
  EXPECT_EQ(notice_text(WhyStopped::time_limit, {0}, {1050}),
            "{\"reason\": \"time_limit\", \"deadline\": \"1970-01-01T00:00:00.000Z\", \"grace_seconds\": 1.050}\n");
}

TEST(Notice, AnEndlessGraceHasNoDeadline) {
  EXPECT_EQ(notice_text(WhyStopped::gang_failure, {INT64_MAX}, {INT64_MAX}),
            "{\"reason\": \"gang_failure\", \"grace_seconds\": 9223372036854775.807}\n");
}

}  // namespace
}  // namespace ym::local
