// A world for the engine alone: a plan takes effect at once, and preempted jobs end with the next call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "model/tables.h"

namespace ym::bench {

class Town {
 public:
  explicit Town(Tables tables, engine::Policy policy = {});

  // Runs one timed cycle and applies its decisions. False: there were none.
  bool decide();
  // Jobs that were asked to stop have stopped, and wait again.
  void let_leave();
  // Runs cycles until there are no more decisions.
  void settle();
  void submit(const Job& job);

  double ms() const { return ms_; }  // of all cycles
  int cycles() const { return cycles_; }
  std::size_t admitted() const { return admitted_; }
  const engine::Plan& plan() const { return plan_; }

 private:
  void apply(EventPayload payload);
  void do_one(const engine::Admission& admission);
  void do_one(const engine::Preemption& preemption);
  template <class Other>
  void do_one(const Other&) {}

  engine::State state_;
  engine::Policy policy_;
  engine::Plan plan_;
  std::uint64_t seq_;
  Instant now_;
  std::map<JobId, std::pair<std::string, std::int32_t>> jobs_;  // queue, and attempts
  std::vector<JobId> stopping_;
  double ms_ = 0;
  int cycles_ = 0;
  std::size_t admitted_ = 0;
};

// A node with healthy GPUs.
Node node(const std::string& name, int gpus, std::int64_t cpus);
// Adds the next job to the tables. It waits.
const Job& add_job(Tables& tables, JobSpec spec);
// The job runs on these nodes, on the devices from `first_device` on.
void run(Tables& tables, Job job, const std::vector<std::string>& nodes, int first_device);

}  // namespace ym::bench
