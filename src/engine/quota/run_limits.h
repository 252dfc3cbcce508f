// Run limits: how many jobs of a queue, or of one user in it, may run at once, and on how many GPUs; and how many
// members of an array.
//
// A queue's limits hold for it and all queues below it together, in addition to quota: quota is shared and lent,
// limits are not. A job counts from its admission until its processes are proven gone, and while it has a nominated
// placement.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/state/names.h"
#include "model/ids.h"
#include "model/queue.h"

namespace ym::engine {

// The limit in the way.
struct LimitHit {
  QueueIndex queue = kNone;
  bool of_user = false;  // each user's limit in the queue; else that of all users
  bool of_gpus = false;  // in thousandths; else of jobs
  std::int64_t most = 0, used = 0, needed = 0;
  bool operator==(const LimitHit&) const = default;
};

// Whether the job is counted already.
enum class JobCount : std::uint8_t { fresh, counted };

class RunLimits {
 public:
  // Drops all counts; arrays stay.
  void rebuild(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names);
  // Whether any queue has such a limit. Limits of arrays do not concern queues: members beyond the limit of their
  // array are not considered at all (cycle/order/order.cc).
  bool any() const { return any_; }

  // `array`: kNone, or the job's array if that has a limit.
  void add(QueueIndex queue, UserIndex user, std::int64_t gpus_milli, ArrayIndex array = kNone) {
    change(queue, user, 1, gpus_milli);
    if (array != kNone) arrays_[array].use += 1;
  }
  void remove(QueueIndex queue, UserIndex user, std::int64_t gpus_milli, ArrayIndex array = kNone) {
    change(queue, user, -1, -gpus_milli);
    if (array != kNone) arrays_[array].use -= 1;
  }
  // A counted job has this many more GPUs.
  void add_gpus(QueueIndex queue, UserIndex user, std::int64_t gpus_milli) { change(queue, user, 0, gpus_milli); }
  // The first limit that a job would exceed with this many more GPUs: of the queue before those above it, of the user
  // before that of all users, of jobs before GPUs. Nothing: none.
  std::optional<LimitHit> hit(QueueIndex queue, UserIndex user, std::int64_t gpus_milli,
                              JobCount job = JobCount::fresh) const;

  // The index of an array with at most `most` running members, the same for all its members. Each acquire needs a
  // release.
  ArrayIndex acquire_array(GroupId group, std::int32_t most);
  void release_array(ArrayIndex array);
  struct Array {
    GroupId group;
    std::int64_t most = 0, use = 0;
    std::size_t members = 0;  // that have not ended
    // How many more may run.
    std::int64_t left() const { return most - use; }
    bool operator==(const Array&) const = default;
  };
  const IndexedVector<ArrayIndex, Array>& arrays() const { return arrays_; }

  bool operator==(const RunLimits&) const = default;

 private:
  struct Use {
    std::int64_t jobs = 0, gpus = 0;
    bool operator==(const Use&) const = default;
  };
  struct Node {
    QueueIndex parent = kNone;
    RunLimit all, user;
    Use use;
    std::map<UserIndex, Use> by_user;  // if users have limits
    bool operator==(const Node&) const = default;
  };
  static std::optional<LimitHit> hit(const Node& node, UserIndex user, bool of_user, std::int64_t gpus_milli,
                                     JobCount job);
  void change(QueueIndex queue, UserIndex user, std::int64_t jobs, std::int64_t gpus);

  bool any_ = false;
  IndexedVector<QueueIndex, Node> nodes_;
  IndexedVector<ArrayIndex, Array> arrays_;      // entries without members are free for others
  std::map<GroupId, ArrayIndex> array_indices_;  // only arrays with members
};

}  // namespace ym::engine
