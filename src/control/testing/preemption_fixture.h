// A full node, and handwritten preemptions on it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "control/testing/controller_fixture.h"

namespace ym::testing {

// Low jobs fill n1, and a high one wants all of it. The engine's decisions are handwritten.
class PreemptionTest : public ControllerTest {
 protected:
  JobId submit_at(const std::string& name, int gpus, std::int32_t priority, Duration grace = seconds(30)) {
    auto spec = spec_of(name, gpus);
    spec.priority = priority;
    spec.stop.grace = grace;
    return submit(spec);
  }

  // Submits a job that is seen running.
  JobId runs(const std::string& name, int gpus, Duration grace = seconds(30)) {
    const JobId id = submit_at(name, gpus, 10, grace);
    plan_admissions();
    observe(token(id), TaskIsRunning{0});
    return id;
  }

  void plan_admissions() {
    auto state = engine::State::load(controller_->tables());
    engine::Policy policy;
    policy.preempt_phase = false;
    controller_->stage(engine::decide(state, policy, clock_.now()));
    ASSERT_TRUE(controller_->commit());
  }

  engine::Plan preempts(JobId preempting_job, const std::vector<JobId>& preempted_jobs) {
    engine::Preemption decision{.job = preempting_job,
                                .cluster = "lab",
                                .flavor = attempt(preempted_jobs.front()).flavor,
                                .placement = {{0, "n1", {"0", "1", "2", "3"}}},
                                .preempted_jobs = {},
                                .kept_for = minutes(3)};
    for (const auto id : preempted_jobs) decision.preempted_jobs.push_back({id, job(id).attempts, 60'000});
    engine::Plan plan{.version = controller_->tables().last_seq};
    plan.decisions.emplace_back(std::move(decision));
    return plan;
  }

  // A job of one or two nodes, n1 and n2, runs on n1 and continues on both.
  void grow(JobId id) {
    engine::Plan plan{.version = controller_->tables().last_seq};
    plan.decisions.emplace_back(
        engine::Resize{.job = id,
                       .attempt = job(id).attempts,
                       .cluster = "lab",
                       .flavor = attempt(id).flavor,
                       .placement = {{0, "n1", {"0", "1", "2", "3"}}, {1, "n2", {"0", "1", "2", "3"}}},
                       .lost_gpu_ms = 5'000,
                       .kept_for = minutes(3)});
    controller_->stage(plan);
    ASSERT_TRUE(controller_->commit());
  }

  void preempt(JobId preempting_job, const std::vector<JobId>& preempted_jobs) {
    controller_->stage(preempts(preempting_job, preempted_jobs));
    ASSERT_TRUE(controller_->commit());
  }

  Token token(JobId id) { return attempt(id).token(); }
  static TaskHasEnded ended_as_asked(int code = 143, std::int32_t task = 0) {
    return {task, {.by = EndedBy::preempted, .exit_code = code, .message = "preempted"}};
  }
  std::string reason_of(std::string_view type) const {
    const auto last = std::ranges::find_if(events_.rbegin(), events_.rend(),
                                           [&](const Event& e) { return type_name(e.payload) == type; });
    return last == events_.rend() ? "" : last->reason;
  }
};

}  // namespace ym::testing
