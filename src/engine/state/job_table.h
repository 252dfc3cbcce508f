// Jobs that have not ended, and the waiting ones in the order in which they are considered. live.h has what running
// jobs hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "engine/state/flavors.h"
#include "engine/state/live.h"
#include "engine/state/nodes/inventory.h"
#include "engine/state/once.h"
#include "model/job.h"

namespace ym::engine {

// The least that a gang needs of the machines.
struct Need {
  RuleIndex rule = kNone;
  Levels levels;
  Task task;
  std::int32_t nodes = 1;
  auto operator<=>(const Need&) const = default;
};

// Jobs of one shape are alike to the engine: a cycle decides them once. Shapes of several queues with the same need
// share what is known about the machines.
struct Shape {
  QueueIndex queue = kNone;
  NeedIndex need_index = kNone;
  RuleIndex rule = kNone;  // from here on as in the need
  Levels levels;
  Task task;
  std::int32_t nodes = 1;       // its smallest size: a waiting job is judged by it
  std::int32_t most_nodes = 1;  // more than `nodes`: the job is elastic, and gets as many as have room
  std::int32_t anchor = 0;      // the first tasks, this many, are on demand
  // For a gang with an anchor: the needs of the anchor and of the other tasks.
  NeedIndex anchor_need = kNone, rest_need = kNone;
  std::vector<Group> groups{};  // none: all tasks are alike; else each group has its own rule and task
  auto operator<=>(const Shape&) const = default;

  // The same shape at another of its sizes.
  Shape sized(std::int32_t tasks) const {
    Shape other = *this;
    other.nodes = tasks;
    return other;
  }
  bool may_have(std::size_t tasks) const {
    return std::cmp_less_equal(nodes, tasks) && std::cmp_less_equal(tasks, most_nodes) &&
           tasks % levels.slice_nodes == 0;
  }
  // Difference between two sizes, in nodes.
  std::int32_t step() const { return static_cast<std::int32_t>(levels.slice_nodes); }
  ResourceVector total() const { return total_of(*this, nodes); }
  // Amounts of one of its flavors.
  ResourceVector in(const Flavors& flavors, FlavorIndex flavor) const {
    return amounts_in(*this, flavors, flavor, nodes);
  }
  // Number of parts that have nodes: a gang no larger than its anchor has no other part.
  std::size_t parts(const Flavors& flavors) const {
    return flavors.is_mix() && groups.empty() && nodes == anchor ? 1 : flavors.parts();
  }
  // A part of it, as a gang of its own.
  Shape part(const Flavors& flavors, PartIndex part) const;
  GangNeed need() const;
  // Its footprint, before it has nodes.
  Footprint footprint(const Flavors& flavors) const {
    return {.queue = queue, .flavors = flavors, .anchor = anchor, .task = task, .groups = groups, .tasks = {}};
  }
};

enum class Waiting : std::uint8_t { no, held, queued };

struct JobRow {
  JobId id;
  Instant submitted_at;
  Instant waits_since, arrived_at;
  Instant stopped_at = kNotStopped;  // its last preemption
  std::optional<Instant> not_before;
  std::int32_t priority = 0;
  ShapeIndex shape = kNone;
  UserIndex user = kNone;       // the owner
  ArrayIndex array = kNone;     // the array that it is a member of, if that has a limit (quota/run_limits.h)
  Duration grace, min_runtime;  // of its StopRules
  bool preemptible = true;
  bool counts_preemptions = false;  // its preemptions are limited in number
  Waiting waiting = Waiting::no;
  bool cancel_requested = false;
  std::optional<ReasonCode> pending;
  std::optional<Duration> time_limit;
  std::optional<Instant> deadline;
  std::int64_t attained_gpu_ms = 0;
  std::optional<PredictedRunTime> predicted;
};

class JobTable {
 public:
  // The caller has acquired `shape` for this job.
  void add(const Job& job, ShapeIndex shape);
  // Returns the shape, which the caller releases.
  ShapeIndex remove(JobId id);
  JobRow& at(JobId id) { return rows_[slot(id)]; }
  const JobRow* find(JobId id) const;
  const JobRow& operator[](Slot slot) const { return rows_[slot]; }
  Slot slot(JobId id) const;
  // Prefetches the row.
  void fetch(Slot slot) const {
    const auto* row = reinterpret_cast<const char*>(&rows_[slot]);
    for (std::size_t line = 0; line < sizeof(JobRow); line += 64) __builtin_prefetch(row + line);
  }
  std::size_t slots() const { return rows_.size(); }  // unused ones included

  void set_waiting(JobId id, Waiting waiting);
  void set_priority(JobId id, std::int32_t priority);
  void set_shape(JobId id, ShapeIndex shape);
  // Highest priority first, then earliest submit time, then lowest id. Held jobs are included.
  const std::vector<Slot>& waiting() const { return waiting_; }
  // Number of waiting jobs of the shape.
  std::uint32_t waiting_count(ShapeIndex shape) const { return waiting_of_.has(shape) ? waiting_of_[shape] : 0; }
  // For adding many jobs at once: the order is not kept between these two calls.
  void begin_bulk() { bulk_ = true; }
  void end_bulk();

 private:
  bool before(Slot a, Slot b) const;
  void enter(Slot slot);
  void leave(Slot slot);

  IndexedVector<Slot, JobRow> rows_;
  std::vector<Slot> unused_;
  std::unordered_map<JobId, Slot> slots_;  // for lookup only: its order decides nothing
  std::vector<Slot> waiting_;
  IndexedVector<ShapeIndex, std::uint32_t> waiting_of_;
  bool bulk_ = false;
};

}  // namespace ym::engine
