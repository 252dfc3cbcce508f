// PowerUpJobs: power-up jobs, which run nothing and make Slurm start nodes that are off.
//
// Nodes of an elastic flavor (Executor::provision) that are off, or boot, are not offered. For each wanted node that is
// missing there is one power-up job: a small job that may run on that node only, so that Slurm starts it. (An ordinary
// user may not power nodes up.) It stays while other wanted nodes are missing, so that Slurm does not switch off a node
// for which a gang waits. It is removed when all nodes are there, or when a job of this server is on the node. Slurm's
// own rule (SuspendTime) switches idle nodes off.
//
// If a node does not come, or Slurm refuses the job, another node is tried, and that one is left alone for a while.
//
// Pure: it reads no clock and makes no requests. The owner calls it with what exists, and does what it returns.
// Threads: none; its owner locks.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/slurm/client/client.h"
#include "model/cluster.h"

namespace ym::slurm {

// Requests of a power-up job: little, in case the node is shared.
inline constexpr std::int64_t kPowerUpCpus = 1, kPowerUpMemoryMib = 16;
// The most that it gets, since Slurm allocates whole cores.
inline constexpr std::int64_t kMostPowerUpCpus = 4;

class PowerUpJobs {
 public:
  explicit PowerUpJobs(std::string instance) : instance_(std::move(instance)) {}
  // The epoch of this server, written in its jobs' comments. They also show to an earlier server that another has taken
  // over.
  void begin_epoch(std::uint64_t epoch) { epoch_ = epoch; }

  // As Executor::provision().
  void want(const Flavor& flavor);
  // Withholds nodes of elastic flavors that are off or boot.
  void withhold(std::vector<Node>& nodes) const;
  // Whether Slurm's state is expected to change soon.
  bool any() const { return !power_up_jobs_.empty(); }
  // Nodes with a power-up job.
  std::set<std::string> nodes() const;

  // All jobs of this user, as Slurm lists them. Nothing happens before the first list.
  void see_jobs(const std::vector<JobRow>& rows, Instant asked);

  struct Work {
    std::vector<Submission> submit;
    std::vector<std::int64_t> cancel;
    std::vector<std::string> said;  // for people
  };
  // What to do now, from all nodes after withhold() and the nodes with jobs of this server. A submission is not
  // returned again before it was tried.
  Work pass(const std::vector<Node>& nodes, const std::set<std::string>& busy, Instant now);
  // Returns news for people: Slurm refuses it.
  std::string submitted(const std::string& name, const std::expected<std::int64_t, SubmitError>& id, Instant now);

 private:
  struct PowerUpJob {
    std::string name;
    std::int64_t id = 0;  // 0: unknown
    Instant since;
    bool trying = false;  // being submitted
    bool over = false;    // ended for Slurm
    std::optional<Instant> cancelled_at;
  };
  struct Sight;  // of one pass
  Sight look(const std::vector<Node>& nodes, const std::set<std::string>& busy, Instant now) const;
  void review(const std::string& node, PowerUpJob& power_up_job, Sight& sight);
  void wake(const Flavor& flavor, Sight& sight);
  void give_up(const std::string& node, Sight& sight);
  static void cancel(PowerUpJob& power_up_job, Sight& sight);
  const Flavor* flavor_of(const Node& node) const;

  std::string instance_;
  std::uint64_t epoch_ = 0;
  std::map<std::string, Flavor> flavors_;                         // elastic ones, by name
  std::map<std::string, PowerUpJob, std::less<>> power_up_jobs_;  // by node
  std::map<std::string, Instant> left_alone_;                     // by node: until this time
  bool jobs_seen_ = false;
};

// "ym-node-<node>-<instance>"
std::string power_up_job_name(const std::string& node, const std::string& instance);
// The node that a power-up job of this server starts. Empty: the job is not one.
std::optional<std::string> woken_node(const JobRow& row, const std::string& instance);
// The epoch of the server that made it; 0: it is no power-up job, or has no epoch.
std::uint64_t epoch_of_power_up_job(const JobRow& row, const std::string& instance);

}  // namespace ym::slurm
