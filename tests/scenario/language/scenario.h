// Scenario: runs the lines of a scenario file against a world.
//
// tests/scenario/README.md describes the language.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "engine/forecast/policy_diff.h"
#include "scenario/language/words.h"
#include "scenario/language/world.h"

namespace ym::testing {

class Scenario {
 public:
  // Throws ScenarioError if the line is wrong or its expectation does not hold.
  void line(std::string_view text);
  // Whether anything was expected: a scenario without expectations proves nothing.
  bool expected_something() const { return expectations_ > 0; }

 private:
  using Statement = void (Scenario::*)(Words&);
  static Statement statement(std::string_view verb);

  // statements.cc: the world, and the cycles
  void cluster(Words& words);
  void nodes(Words& words);
  void flavor(Words& words);
  static ElasticCapacity read_elastic(Words& words, const Flavor& flavor);
  void queue(Words& words);
  void drain(Words& words);
  void undrain(Words& words);
  void break_device(Words& words);
  void repair_device(Words& words);
  void remove(Words& words);
  void policy(Words& words);
  void time(Words& words);
  void decide(Words& words);
  void dry_run(Words& words);
  void sample(Words& words);
  void forecast(Words& words);
  void compare(Words& words);
  void reservation(Words& words);
  void run_cycle(Words& words);

  // job_statements.cc: what happens to jobs
  void submit(Words& words);
  void running(Words& words);
  void end(Words& words);
  void requeue(Words& words);
  void lost(Words& words);
  void regained(Words& words);
  void start(Words& words);
  void checkpoint(Words& words);
  void skip_checkpoint(Words& words);
  void stop(Words& words);
  void cancel(Words& words);
  void withdraw(Words& words);
  void hold(Words& words);
  void release(Words& words);

  // expectations.cc: the decisions of a cycle; preemption_expectations.cc: preemptions
  void expect(Words& words);
  void expect_job(const std::string& name, Words& words);
  static const std::map<std::string, void (Scenario::*)(JobId, Words&), std::less<>> kOfJobs;
  void expect_also(const engine::Verdict& waits, Words& words) const;
  void expect_admitted(JobId job, Words& words);
  void expect_preempts(JobId job, Words& words);
  void expect_preempted(JobId job, Words& words);
  void expect_evicted(JobId job, Words& words);
  void expect_resizes(JobId job, Words& words);
  void expect_goes_on(JobId job, Words& words);
  void expect_released(JobId job, Words& words);
  void expect_reserves(JobId job, Words& words);
  void expect_reservations(Words& words) const;
  void expect_predicted(JobId job, Words& words);
  void expect_between(JobId job, Words& words);
  const engine::PredictedStart& predicted(JobId job) const;
  void expect_sooner(JobId job, Words& words);
  void expect_verdict(JobId job, Words& words);
  void expect_advised(JobId job, Words& words);
  void expect_diff(Words& words) const;
  void expect_decision(Words& words, bool stands);
  void expect_preemptions(Words& words);
  void expect_reason(const engine::Reason* reason, Words& words) const;
  void expect_only() const;
  void expect_order(Words& words) const;
  void expect_admissions(Words& words);
  void expect_wake(Words& words) const;
  void expect_provides(Words& words) const;
  void expect_usage(Words& words);
  void expect_used(Words& words) const;
  void expect_fit(Words& words, bool fits);

  bool read_devices(Words& words, TaskResources& resources) const;
  bool read_placement_rules(Words& words, PlacementRules& rules) const;
  bool read_stop_rules(Words& words, StopRules& rules) const;
  struct Submission {
    JobSpec spec;
    Instant at;
    JobState state = JobState::queued;
    std::string user = "ann";
    std::optional<PredictedRunTime> predicted{};
    std::optional<GroupId> array{};
  };
  Submission read_submission(const std::string& name, Words& words);
  static bool read_kind(Words& words, Submission& read);
  static Queue read_queue(Words& words);
  std::vector<TaskPlacement> read_placement(Words& words) const;
  void set_schedulable(Words& words, bool schedulable);
  void set_healthy(Words& words, bool healthy);
  JobId job(const std::string& name) const;
  const Attempt& live(Words& words) const;
  std::string name_of(JobId job) const;
  const engine::Verdict* verdict(JobId job) const;
  template <class Kind>
  const Kind* decision(JobId job) const {
    for (const auto& one : plan_.decisions)
      if (const auto* found = std::get_if<Kind>(&one); found && found->job == job) return found;
    return nullptr;
  }

  World world_;
  engine::Policy policy_;
  std::map<std::string, JobId> jobs_;
  engine::Plan plan_;
  engine::Forecast forecast_;
  engine::PolicyDiff diff_;
  bool decided_ = false;
  std::set<JobId> mentioned_;  // since the last cycle
  int expectations_ = 0;
};

}  // namespace ym::testing
