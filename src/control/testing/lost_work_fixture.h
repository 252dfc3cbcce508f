// A job that trains on all GPUs of a node and saves when the test says so, and what its attempts have lost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "control/testing/preemption_fixture.h"

namespace ym::testing {

class LostWorkTest : public PreemptionTest {
 protected:
  static constexpr int kGpus = 4;
  static constexpr Duration kRestart = minutes(1);  // the cost of a start, unless a test sets another

  // Runs from now on, on all GPUs, and is retried after each end.
  JobId train() {
    auto spec = spec_of("train", kGpus);
    spec.priority = 10;
    spec.retry = {.infra_max = 5, .error_max = 5, .backoff = seconds(0)};
    const JobId id = submit(spec);
    run_again(id);
    return id;
  }
  void run_again(JobId id) {
    plan_admissions();
    observe(token(id), TaskIsRunning{0});
  }
  void save(JobId id, std::int64_t step) {
    const Checkpoint saved{.uri = "/ck/" + std::to_string(step), .step = step, .durable_at = clock_.now()};
    ASSERT_TRUE(execute(ReportProgress{token(id).key(), {.checkpoint = saved}}));
  }
  void told_to_stop(JobId id) { preempt(submit_at("high", kGpus, 90), {id}); }
  // The loss of an attempt of the job; the first one is number 1.
  Attempt attempt_of(JobId id, std::size_t number) {
    return store_->reader().value()->attempts(id).value().at(number - 1);
  }
  std::optional<std::int64_t> lost(JobId id, std::size_t number = 1) { return attempt_of(id, number).lost_gpu_ms; }
  static std::int64_t on_all_gpus(Duration time) { return kGpus * time.ms; }
  static TaskHasEnded ends(EndedBy by, Instant at, std::int32_t code = 1) {
    return {0, {.by = by, .exit_code = code, .message = "ended", .at = at}};
  }
  void crash(JobId id) { observe(token(id), ends(EndedBy::exit, clock_.now())); }
  void skip_newest(JobId id) { observe(token(id), CheckpointIsGone{job(id).checkpoints.at(0)}); }
};

}  // namespace ym::testing
