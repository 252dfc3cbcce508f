// Jobs that have not ended, and those that wait in the order in which they are considered.
// What the others hold stands in live.h.
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
#include "engine/state/inventory.h"
#include "engine/state/live.h"
#include "engine/state/once.h"
#include "model/job.h"

namespace ym::engine {

// What a gang asks of the machines, at the least.
struct Need {
  RuleIndex rule = kNone;
  Levels levels;
  Task task;
  std::int32_t nodes = 1;
  auto operator<=>(const Need&) const = default;
};

// What makes jobs alike to the engine: they are decided once a cycle. Those of several
// queues that need the same share what is found about the machines.
struct Shape {
  QueueIndex queue = kNone;
  NeedIndex need_index = kNone;
  RuleIndex rule = kNone;  // from here on as the need has it
  Levels levels;
  Task task;
  std::int32_t nodes = 1;       // the fewest that will do: what whoever waits is judged by
  std::int32_t most_nodes = 1;  // more than that: elastic, as many as there is room for
  std::int32_t anchor = 0;      // so many of them, the first, are on demand
  // Of a gang with an anchor: what it and the others ask for, each by itself.
  NeedIndex anchor_need = kNone, rest_need = kNone;
  std::vector<Group> groups{};  // none: all tasks are alike; else each says rule and task for its own
  auto operator<=>(const Shape&) const = default;

  // The same at another of its sizes.
  Shape sized(std::int32_t tasks) const {
    Shape other = *this;
    other.nodes = tasks;
    return other;
  }
  bool may_have(std::size_t tasks) const {
    return std::cmp_less_equal(nodes, tasks) && std::cmp_less_equal(tasks, most_nodes) &&
           tasks % levels.slice_nodes == 0;
  }
  // By how many nodes its sizes differ.
  std::int32_t step() const { return static_cast<std::int32_t>(levels.slice_nodes); }
  ResourceVector total() const { return total_of(*this, nodes); }
  // Of one of its flavors.
  ResourceVector in(const Flavors& flavors, FlavorIndex flavor) const {
    return amounts_in(*this, flavors, flavor, nodes);
  }
  // How many of its parts have nodes: who has no more than its anchor has no others.
  std::size_t parts(const Flavors& flavors) const {
    return flavors.is_mix() && groups.empty() && nodes == anchor ? 1 : flavors.parts();
  }
  // A part of it, as a gang of its own.
  Shape part(const Flavors& flavors, std::size_t part) const;
  GangNeed need() const;
  // Its place, before it has nodes.
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
  UserIndex user = kNone;       // who owns it
  ArrayIndex array = kNone;     // of which it is a member, if that has a limit (quota/run_limits.h)
  Duration grace, min_runtime;  // of its StopRules
  bool preemptible = true;
  bool counts_preemptions = false;  // it may be preempted only so often
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
  // `shape` is one that the caller has acquired for this job.
  void add(const Job& job, ShapeIndex shape);
  // Gives back the shape, which the caller releases.
  ShapeIndex remove(JobId id);
  JobRow& at(JobId id) { return rows_[slot(id)]; }
  const JobRow* find(JobId id) const;
  const JobRow& operator[](Slot slot) const { return rows_[slot]; }
  Slot slot(JobId id) const;
  // It will be asked for soon.
  void fetch(Slot slot) const {
    const auto* row = reinterpret_cast<const char*>(&rows_[slot]);
    for (std::size_t line = 0; line < sizeof(JobRow); line += 64) __builtin_prefetch(row + line);
  }
  std::size_t slots() const { return rows_.size(); }  // unused ones included

  void set_waiting(JobId id, Waiting waiting);
  void set_priority(JobId id, std::int32_t priority);
  void set_shape(JobId id, ShapeIndex shape);
  // Highest priority first, then earliest submit time, then lowest id; held ones too.
  const std::vector<Slot>& waiting() const { return waiting_; }
  // How many of these are of the shape.
  std::uint32_t waiting_count(ShapeIndex shape) const { return waiting_of_.has(shape) ? waiting_of_[shape] : 0; }
  // Adds many jobs at once: between these two the order is not kept.
  void begin_bulk() { bulk_ = true; }
  void end_bulk();

 private:
  bool before(Slot a, Slot b) const;
  void enter(Slot slot);
  void leave(Slot slot);

  IndexedVector<Slot, JobRow> rows_;
  std::vector<Slot> unused_;
  std::unordered_map<JobId, Slot> slots_;  // for finding only: its order decides nothing
  std::vector<Slot> waiting_;
  IndexedVector<ShapeIndex, std::uint32_t> waiting_of_;
  bool bulk_ = false;
};

}  // namespace ym::engine
