// Calendar: free capacity of each node over time, as far as the ends of its jobs are sure.
//
// An end is sure if something enforces it: a time limit plus the grace, or the grace of a stop that has begun. A job
// with neither stays for ever. A job that should have ended gets some time until its end is noticed; then it is
// overdue, and its end is not relied on any more.
//
// Time counts in whole clock minutes from the current one. Backfill reservations need no finer unit, and all of a
// search fits into arrays by minute. (The structure is a difference array over starts, as in event-driven profiles of
// machine-scheduling solvers.)
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/reserve/walltime.h"
#include "engine/state/impl.h"
#include "engine/state/minute.h"
#include "engine/state/timeline/free_steps.h"

namespace ym::engine {

// What already shared devices have left for other jobs: only entries that no other entry covers.
class SharedParts {
 public:
  void add(const Part& part) {
    if (cover(part)) return;
    std::erase_if(parts_, [&](const Part& one) { return part.covers(one); });
    parts_.push_back(part);
  }
  bool cover(const Part& part) const {
    return std::ranges::any_of(parts_, [&](const Part& one) { return one.covers(part); });
  }

 private:
  std::vector<Part> parts_;
};

// What is reserved of a node at a time, as it counts for jobs that want devices of one profile.
struct Booked {
  std::int64_t devices = 0, cpus = 0, memory = 0;
  std::int64_t unshared = 0;  // those of the devices that are reserved as a whole
  Part part{};                // reserved parts of shared devices

  void add(const NodeNeed& need, ProfileIndex profile) { count(need, profile, 1); }
  void remove(const NodeNeed& need, ProfileIndex profile) { count(need, profile, -1); }

 private:
  void count(const NodeNeed& need, ProfileIndex profile, std::int64_t sign) {
    cpus += sign * need.cpus;
    memory += sign * need.memory;
    if (need.profile != profile) return;
    devices += sign * need.ids();
    unshared += sign * need.devices;
    part.milli += sign * need.part.milli;
    part.memory += sign * need.part.memory;
  }
};

// Free capacity of a node for tasks that want whole GPUs, or slices of one profile. Valid as long as its step.
struct Free {
  std::int64_t devices = 0, cpus = 0, memory = 0;
  ProfileIndex profile = kNone;         // of the devices
  std::int64_t unshared = 0;            // those of the devices that are not reserved as a whole
  Part whole{};                         // what each of those has at least
  const SharedParts* shared = nullptr;  // null: no device is shared
  Part booked{};                        // reserved parts

  bool covers(const NodeNeed& need) const {
    return (need.devices == 0 || devices >= need.devices) && (need.cpus == 0 || cpus >= need.cpus) &&
           (need.memory == 0 || memory >= need.memory) && (!need.shares() || has_part(need.part));
  }
  // Which device a task shares is known only when it starts. So it counts twice: it takes a device from tasks that
  // want whole ones, and its part from whichever device other tasks share.
  Free& operator-=(const Booked& others) {
    cpus -= others.cpus;
    memory -= others.memory;
    devices -= others.devices;
    unshared -= others.unshared;
    booked += others.part;
    return *this;
  }

 private:
  // Only what each GPU of the node has: another job might get the one that has more.
  bool has_part(Part part) const {
    if (!whole.covers(part)) return false;
    part += booked;
    return (unshared > 0 && whole.covers(part)) || (shared && shared->cover(part));
  }
};

// Jobs that may be gone earlier than their end, because a holder of a reservation may stop them: by job, and their
// nodes.
struct Yielding {
  struct Job {
    Slot slot = kNone;
    Instant gone;
  };
  std::vector<Job> jobs;         // by slot
  std::vector<NodeIndex> nodes;  // sorted

  bool has(NodeIndex node) const { return !nodes.empty() && find(node); }

 private:
  bool find(NodeIndex node) const;
};

// Follows the state, also during a trial. For one cycle. Caches results, so it is for one thread, like the state.
class Calendar {
 public:
  Calendar(const State::Impl& state, const Policy& policy, Instant now);

  // This is free from this minute on, and the amount never shrinks later. Valid until the next question.
  struct Step {
    Minute from = 0;
    std::uint64_t devices = 0;  // bits
    std::int64_t cpus = 0, memory = 0;
    SharedParts shared{};
  };
  // Changes with what is known of the node.
  std::uint32_t touched(NodeIndex node) const { return state_.touched.has(node) ? state_.touched[node] : 0; }
  // By time; the first is for now.
  std::span<const Step> steps(NodeIndex node) const {
    if (!known_.has(node) || known_[node].size == 0 || known_[node].touched != touched(node)) look_at(node);
    return {steps_.data() + known_[node].begin, known_[node].size};
  }
  std::span<const Step> steps(NodeIndex node, const Yielding& yielding) const {
    return yielding.nodes.empty() ? steps(node) : steps_without(node, yielding);
  }

  // When which number of whole GPUs of the node becomes free. Precondition: the node has at most
  // FreeSteps::kMostDevices GPUs.
  FreeSteps free_steps(NodeIndex node) const;

  // What is free at a time, from such steps of the node, for a task that wants devices of the profile.
  Free at(std::span<const Step> steps, NodeIndex node, Minute minute, ProfileIndex profile) const;
  Free of_step(const Step& step, NodeIndex node, ProfileIndex profile) const;
  // Until then, what is known of the node stays valid, unless something is taken of it or given back.
  Instant holds_until(NodeIndex node) const;
  std::int64_t running_minute() const { return epoch_; }  // of the clock
  Instant now() const { return now_; }
  // The first minute from which on there is room for the task; kNoMinute: none.
  Minute first_room(std::span<const Step> steps, NodeIndex node, const NodeNeed& need) const;

  // Rounded up; kNoMinute past the horizon.
  static Minute minutes_in(Duration time);
  Minute minute_of(Instant time) const;  // the first that is not before `time`; kNoMinute past the horizon
  // The minute that contains `time`; kNoMinute past the horizon.
  Minute minute_before(Instant time) const;
  bool is_full_minute() const { return now_.ms % kMinute == 0; }  // whether a clock minute begins now
  Instant instant_of(Minute minute) const { return {minute == 0 ? now_.ms : (epoch_ + minute) * kMinute}; }
  // The latest time at which the limit of a job begins to count.
  Instant begun(const Ending& ending) const;
  // When a job is gone for sure; kNever: not known. A job that should be gone is expected to go at once, for a while.
  // Lost contact with a job changes nothing: what enforces its end is on its node.
  Instant gone_by(const Ending& ending) const;
  // When time alone may change the result of gone_by; kNever: never.
  Instant holds_until(const Ending& ending) const;
  // For a job that should be gone: until when its end is still expected. Nothing: it is no such job, or is overdue
  // already.
  std::optional<Instant> overdue_from(const Ending& ending) const;

 private:
  static constexpr std::int64_t kMinute = 60'000;
  static std::int64_t rounded_up(std::int64_t ms) { return ms / kMinute + (ms % kMinute != 0); }
  // Where the steps of a node are, and as of when.
  struct Known {
    std::size_t begin = 0;
    std::uint32_t size = 0, touched = 0;
    std::optional<Instant> holds_until{};
  };
  // A task on the node, with the minute by which it leaves.
  struct Departing {
    Minute at = 0;
    TaskAllocation occupied;
    bool leaving = false;
  };
  struct Devices;
  SharedParts shared_parts(NodeIndex node, Devices& devices) const;
  Instant end_of(const Ending& ending) const;
  std::vector<Departing>& departing(NodeIndex node) const;
  void look_at(NodeIndex node) const;
  std::span<const Step> steps_without(NodeIndex node, const Yielding& yielding) const;
  // Empties `there`.
  void add_steps(NodeIndex node, std::vector<Departing>& there, std::vector<Step>& steps) const;
  const State::Impl& state_;
  Duration start_allowance_, overdue_margin_;
  Instant now_;
  std::int64_t epoch_;                             // the current minute of the clock
  mutable IndexedVector<NodeIndex, Known> known_;  // size 0: not looked at yet
  mutable std::vector<Step> steps_, varied_;
  mutable std::vector<Departing> departing_;
};

}  // namespace ym::engine
