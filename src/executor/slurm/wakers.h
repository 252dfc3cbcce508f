// Wakers: jobs that run nothing and make Slurm start nodes that are off.
//
// Nodes of an elastic flavor (Executor::provision) that are off, or boot, are not offered. As many as are wanted and
// are not there get a waker: a small job that may run on that node alone, so that Slurm starts it; to power nodes up
// oneself takes rights that an ordinary user has not. It stays while other nodes that are wanted are missing, so that
// Slurm does not switch off again what a gang waits for; it goes when all are there, or a job of ours is on the node.
// Nodes that are idle are switched off by Slurm's own rule (SuspendTime).
//
// Where a node does not come, or Slurm refuses the waker, another node is tried, and that one left alone for a while.
//
// It reads no clock and asks nobody: it is told what there is and says what is to be done. Threads: none; its owner
// locks.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/slurm/client.h"
#include "model/cluster.h"

namespace ym::slurm {

// What a waker asks for: little, where nodes are shared.
inline constexpr std::int64_t kWakerCpus = 1, kWakerMemoryMib = 16;
// What it is given at most, since Slurm gives away whole cores.
inline constexpr std::int64_t kMostWakerCpus = 4;

class Wakers {
 public:
  explicit Wakers(std::string instance) : instance_(std::move(instance)) {}
  // Of this server, which its wakers' comments tell: one that was taken over from finds out by them, too.
  void begin_epoch(std::uint64_t epoch) { epoch_ = epoch; }

  // As Executor::provision has it.
  void want(const Flavor& flavor);
  // Those of elastic flavors that are off, or boot.
  void withhold(std::vector<Node>& nodes) const;
  // Whether something is expected of Slurm soon.
  bool any() const { return !wakers_.empty(); }
  // On which nodes they are.
  std::set<std::string> nodes() const;

  // All jobs of this user, as Slurm lists them. Nothing is done before the first list.
  void see_jobs(const std::vector<JobRow>& rows, Instant asked);

  struct Work {
    std::vector<Submission> submit;
    std::vector<std::int64_t> cancel;
    std::vector<std::string> said;  // for people
  };
  // What is to be done, given all nodes as withhold() left them, and those on which jobs of ours are. A submission is
  // not said again before it has been tried.
  Work pass(const std::vector<Node>& nodes, const std::set<std::string>& busy, Instant now);
  // For people, if it is news: that Slurm refuses it.
  std::string submitted(const std::string& name, const std::expected<std::int64_t, SubmitTrouble>& id, Instant now);

 private:
  struct Waker {
    std::string name;
    std::int64_t id = 0;  // 0: not known yet
    Instant since;
    bool trying = false;  // it is being submitted
    bool over = false;    // Slurm has let go of it
    std::optional<Instant> cancelled_at;
  };
  struct Sight;  // of one pass
  Sight look(const std::vector<Node>& nodes, const std::set<std::string>& busy, Instant now) const;
  void review(const std::string& node, Waker& waker, Sight& sight);
  void wake(const Flavor& flavor, Sight& sight);
  void give_up(const std::string& node, Sight& sight);
  static void cancel(Waker& waker, Sight& sight);
  const Flavor* flavor_of(const Node& node) const;

  std::string instance_;
  std::uint64_t epoch_ = 0;
  std::map<std::string, Flavor> flavors_;             // elastic ones, by name
  std::map<std::string, Waker, std::less<>> wakers_;  // by node
  std::map<std::string, Instant> left_alone_;         // by node: until then
  bool jobs_seen_ = false;
};

// "ym-node-<node>-<instance>"
std::string waker_name(const std::string& node, const std::string& instance);
// The node that the job wakes; nothing: it is no waker of this server's.
std::optional<std::string> woken_node(const JobRow& row, const std::string& instance);
// In whose epoch it was made; 0: it is none, or does not say.
std::uint64_t epoch_of_waker(const JobRow& row, const std::string& instance);

}  // namespace ym::slurm
