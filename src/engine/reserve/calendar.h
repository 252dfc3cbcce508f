// Calendar: what of each node is free when, as far as the ends of those who are there are sure.
//
// An end is sure where something enforces it: a time limit with the grace after it, or the grace of
// whoever is stopped already. Whoever has neither stays for ever. Whoever should have gone is given
// some time to be found out, and then nobody counts on him.
//
// Time is counted in whole minutes of the clock from the one that is running: a reservation needs no
// finer ones, and all of a search fits into arrays by minute (the structure is that of a difference
// array over starts, as event-driven profiles of machine-scheduling solvers keep them).
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
#include "engine/state/ladder.h"
#include "engine/state/minute.h"

namespace ym::engine {

// What the devices that are shared already have left for others: of those that have no less than others in anything.
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

// What is promised of a node at a time, as those see it who want devices of one profile.
struct Booked {
  std::int64_t devices = 0, cpus = 0, memory = 0;
  std::int64_t unshared = 0;  // of the devices: by those who want them whole
  Part part{};                // by those who share

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

// What is free of a node for tasks that want whole GPUs, or slices of one profile. Goes with its step.
struct Free {
  std::int64_t devices = 0, cpus = 0, memory = 0;
  ProfileIndex profile = kNone;         // of the devices
  std::int64_t unshared = 0;            // of the devices: beside those who want them whole
  Part whole{};                         // what each of those has at least
  const SharedParts* shared = nullptr;  // null: none is
  Part booked{};                        // by those who share

  bool covers(const NodeNeed& need) const {
    return (need.devices == 0 || devices >= need.devices) && (need.cpus == 0 || cpus >= need.cpus) &&
           (need.memory == 0 || memory >= need.memory) && (!need.shares() || has_part(need.part));
  }
  // Which device somebody gets who shares one is not known before he does: he takes one from those who want it whole,
  // and what he has of it from whichever another shares.
  Free& operator-=(const Booked& others) {
    cpus -= others.cpus;
    memory -= others.memory;
    devices -= others.devices;
    unshared -= others.unshared;
    booked += others.part;
    return *this;
  }

 private:
  // More than each GPU of the node has is not counted on: somebody else might get the one that has it.
  bool has_part(Part part) const {
    if (!whole.covers(part)) return false;
    part += booked;
    return (unshared > 0 && whole.covers(part)) || (shared && shared->cover(part));
  }
};

// Jobs that somebody counts on to be gone earlier than they have to be: by job, and their nodes.
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

// Follows the state, that of a trial included. Of one cycle. Remembers what it has found, and so is
// for one thread, like the state.
class Calendar {
 public:
  Calendar(const State::Impl& state, const Policy& policy, Instant now);

  // From this minute on so much is free, and never less later. Steps stay where they are until the
  // next question.
  struct Step {
    Minute from = 0;
    std::uint64_t devices = 0;  // bits
    std::int64_t cpus = 0, memory = 0;
    SharedParts shared{};
  };
  // Changes with what is known of the node.
  std::uint32_t touched(NodeIndex node) const { return state_.touched.has(node) ? state_.touched[node] : 0; }
  // By time; the first is of now.
  std::span<const Step> steps(NodeIndex node) const {
    if (!known_.has(node) || known_[node].size == 0 || known_[node].touched != touched(node)) look_at(node);
    return {steps_.data() + known_[node].begin, known_[node].size};
  }
  std::span<const Step> steps(NodeIndex node, const Yielding& yielding) const {
    return yielding.nodes.empty() ? steps(node) : steps_without(node, yielding);
  }

  // From when on so many whole GPUs of the node are free. Precondition: it has no more than a ladder's rungs.
  Ladder ladder(NodeIndex node) const;

  // Of such steps of the node, for who wants devices of the profile.
  Free at(std::span<const Step> steps, NodeIndex node, Minute minute, ProfileIndex profile) const;
  Free of_step(const Step& step, NodeIndex node, ProfileIndex profile) const;
  // What is known of the node holds until then, or until something is taken of it or given back.
  Instant holds_until(NodeIndex node) const;
  std::int64_t running_minute() const { return epoch_; }  // of the clock
  Instant now() const { return now_; }
  // The first minute from which on there is room for the task; kNoMinute: none.
  Minute first_room(std::span<const Step> steps, NodeIndex node, const NodeNeed& need) const;

  // Rounded up; kNoMinute past the horizon.
  static Minute minutes_in(Duration time);
  Minute minute_of(Instant time) const;  // the first that is not before; kNoMinute past the horizon
  // The one that it is in; kNoMinute past the horizon.
  Minute minute_before(Instant time) const;
  bool is_turn() const { return now_.ms % kMinute == 0; }  // whether one begins now
  Instant instant_of(Minute minute) const { return {minute == 0 ? now_.ms : (epoch_ + minute) * kMinute}; }
  // When the limit of a job begins to count, at the latest.
  Instant begun(const Ending& ending) const;
  // When a job is gone for sure; kNever: that is not known. Whoever should be gone is about to be, for a while.
  // Contact with a job that is lost changes nothing: what enforces its end stands on its node.
  Instant gone_by(const Ending& ending) const;
  // When time alone may have another minute be said; kNever: it does not.
  Instant holds_until(const Ending& ending) const;
  // Until when that is said of one who should be gone; nothing: he is none, or is not counted on any more.
  std::optional<Instant> doubted_from(const Ending& ending) const;

 private:
  static constexpr std::int64_t kMinute = 60'000;
  static std::int64_t rounded_up(std::int64_t ms) { return ms / kMinute + (ms % kMinute != 0); }
  // Where the steps of a node are, and as of when.
  struct Known {
    std::size_t begin = 0;
    std::uint32_t size = 0, touched = 0;
    std::optional<Instant> holds_until{};
  };
  // Who is on a node, by when he goes.
  struct Departing {
    Minute at = 0;
    TaskAllocation stay;
    bool leaving = false;
  };
  struct Devices;
  SharedParts shared_parts(NodeIndex node, Devices& devices) const;
  Instant end_of(const Ending& ending) const;
  std::vector<Departing>& departing(NodeIndex node) const;
  void look_at(NodeIndex node) const;
  std::span<const Step> steps_without(NodeIndex node, const Yielding& yielding) const;
  // Leaves nobody there.
  void add_steps(NodeIndex node, std::vector<Departing>& there, std::vector<Step>& steps) const;
  const State::Impl& state_;
  Duration start_allowance_, overdue_margin_;
  Instant now_;
  std::int64_t epoch_;                             // the minute that is running
  mutable IndexedVector<NodeIndex, Known> known_;  // size 0: not looked at yet
  mutable std::vector<Step> steps_, varied_;
  mutable std::vector<Departing> departing_;
};

}  // namespace ym::engine
