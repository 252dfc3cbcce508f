// Small random worlds, and events in them.
#pragma once

#include <iterator>

#include "base/random.h"
#include "scenario/language/world.h"

namespace ym::reference {

class RandomWorld {
 public:
  // `aging`: queues may have their own age caps. Every third world has many machines and little quota, so that its jobs
  // wait for quota.
  // Limits on running jobs, budgets, and advance reservations.
  enum class Limits : std::uint8_t { none, some };
  RandomWorld(std::uint64_t seed, bool aging, Limits limits = Limits::none);

  testing::World& world() { return world_; }
  Random& random() { return random_; }
  // Something happens: jobs arrive, end, are held, nodes go, quotas change.
  void step(Instant now);

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }
  template <class Row>
  const Row* any(const std::map<std::string, Row>& rows) {
    if (rows.empty()) return nullptr;
    return &std::next(rows.begin(), below(static_cast<std::int64_t>(rows.size())))->second;
  }

  std::map<std::string, std::string> labels();
  std::vector<std::string> topology();
  std::string level();
  void set_flavor();
  void set_node(const std::string& name);
  void add_devices(Node& node);
  void want_parts(TaskResources& task);
  void want_groups(JobSpec& spec);
  RunLimit run_limit();
  Budget budget();
  void add_advance_reservations(Instant now);
  void set_queue(const std::string& name);
  Quota quota(ResourceKind kind);
  void submit(Instant now);
  void submit(const JobSpec& spec, Instant now);
  void change_job(Instant now);
  void change_machines();
  void change_configuration();

  Random random_;
  // grouped: some gangs are of several kinds of tasks;
  // parted: GPUs are shared and sliced; spotty: some machines are spot, others of the same kind are not
  bool aging_, roomy_, parted_, spotty_, grouped_;
  Limits limits_;
  testing::World world_;
};

// A cohort that lends nearly all of few machines between its queues.
// Each job has fewer GPUs than this.
void share_quota(testing::World& world, Random& luck, std::uint64_t most);
// Many small jobs of low priority in its queues.
void crowd(testing::World& world, Random& luck);
// Three nodes with this number of GPUs each.
void same_machines(testing::World& world, int gpus);

}  // namespace ym::reference
