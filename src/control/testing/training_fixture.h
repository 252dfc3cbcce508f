// For tests of progress reports: a running job with one task.
#pragma once

#include <string>
#include <utility>

#include "control/testing/controller_fixture.h"

namespace ym::testing {

class TrainingTest : public ControllerTest {
 protected:
  void SetUp() override {
    ControllerTest::SetUp();
    id_ = submit(spec_of("train"));
    schedule();
    token_ = executor_.launched().back().token;
    observe(token_, TaskIsRunning{0});
  }

  Result<CommandReply> report(ProgressReport report) {
    return execute(ReportProgress{token_.key(), std::move(report)});
  }
  static Checkpoint saved(std::int64_t step, Instant at) {
    return {.uri = "/ck/" + std::to_string(step), .step = step, .durable_at = at};
  }

  JobId id_;
  Token token_;
};

}  // namespace ym::testing
