#include "engine/preemption/target_lines.h"

#include <algorithm>

#include "engine/cycle/reserve.h"

namespace ym::engine {
namespace {

bool is_sound(const Inputs& in, QueueIndex queue) { return in.state.quota.fault(queue) == QueueFault::none; }

// Also counts stops of this cycle.
bool leaves(const LiveAttempt& live) { return live.leaving || (live.stopping && !live.unreachable); }

// A gang with a task on a node out of service takes no machines from others.
Counts counts_of(const Inputs& in, const Footprint& place) {
  const auto stands_aside = [&](const LiveTask& task) { return !in.state.inventory.in_service(task.node); };
  return std::ranges::any_of(place.tasks, stands_aside) ? Counts::quota : Counts::all;
}

// By the rule of the queue; less goes first.
auto place_in_line(PreemptRule rule, const Contender& one) {
  const bool newer_may_be_stopped = rule == PreemptRule::any;
  return std::tuple(rule == PreemptRule::never && one.waits, -one.priority,
                    newer_may_be_stopped ? one.submitted_at : Instant{}, newer_may_be_stopped ? one.id : JobId{},
                    one.order());
}

// For a job row or a pending entry: a look at each waiting row would cost more than all the rest.
Contender contender(const auto& row, Slot slot) {
  return {.slot = slot, .shape = row.shape, .priority = row.priority, .submitted_at = row.submitted_at, .id = row.id};
}

void add_running(const Inputs& in, const Tried& tried, ContenderLines& lines) {
  const State::Impl& state = in.state;
  const Losses losses(state, in.policy.restart_cost, in.now);
  for (const auto& [job, live] : state.live) {
    const JobRow& row = *state.jobs.find(job);
    if (!is_sound(in, live.queue) || !can_be_stopped(row, live)) continue;
    Contender one = contender(row, state.jobs.slot(job));
    one.place = &live;
    one.counts = counts_of(in, live);
    one.loss = losses.of(job, live);
    one.since = live.admitted_at;
    lines[live.queue].push_back(one);
  }
  // Admissions of this cycle run in the next one, too.
  for (const auto& [slot, tentative] : tried.tentative) {
    const JobRow& row = state.jobs[slot];
    if (!row.preemptible) continue;
    Contender one = contender(row, slot);
    one.place = &tentative.place;
    one.loss = losses.of_restart(tentative.place);
    one.since = in.now;
    lines[tentative.place.queue].push_back(one);
  }
}

bool is_considered(const Inputs& in, const PendingEntries& pending, const Findings& known, EntryIndex entry) {
  if (pending.entries[entry].status != EntryStatus::open) return false;
  const Rank rank = pending.rank_at[entry];
  return !limit_hit(in, pending, rank) && !over_budget(in, pending, known, rank).everywhere;
}

void add_waiting(const Inputs& in, const PendingEntries& pending, const Findings& known, QueueIndex queue,
                 std::vector<Contender>& line) {
  for (const EntryIndex at : IndexRange(pending.lines[queue], pending.line_ends[queue])) {
    if (!is_considered(in, pending, known, at)) continue;
    const PendingEntry& entry = pending.entries[at];
    Contender one = contender(entry, entry.slot);
    one.waits = true;
    one.since = one.submitted_at;
    line.push_back(one);
  }
}

// Otherwise this cycle has released the placement, or given it to its job.
bool is_kept(const Inputs& in, const PendingEntries& pending, Slot slot, const Nomination& held) {
  const EntryIndex entry = pending.entry_of[slot];
  return entry == kNone ? held.expires_at > in.now : pending.entries[entry].status == EntryStatus::kept;
}

// Jobs of a faulty queue have no quota, but they have machines.
void charge(const Inputs& in, TargetBooks& books, const Footprint& place) {
  const Counts counts = counts_of(in, place);
  if (is_sound(in, place.queue)) books.charge(place.queue, Demand(place), counts);
  else if (counts == Counts::all) books.charge(place.queue, Demand(place), Counts::machines);
}

}  // namespace

ContenderLines lines_of(const Cycle& cycle) {
  ContenderLines lines(cycle.in.state.queue_names.size());
  add_running(cycle.in, cycle.tried, lines);
  for (const QueueIndex queue : indices<QueueIndex>(lines.size())) {
    add_waiting(cycle.in, cycle.pending, cycle.known, queue, lines[queue]);
    const PreemptRule rule = rule_of(cycle.in, queue);
    std::ranges::sort(lines[queue], {}, [&](const Contender& one) { return place_in_line(rule, one); });
  }
  return lines;
}

void charge_fixed(const Inputs& in, const PendingEntries& pending, const Tried& tried, TargetBooks& books) {
  const State::Impl& state = in.state;
  for (const auto& [job, live] : state.live)
    if (!leaves(live) && !can_be_stopped(*state.jobs.find(job), live)) charge(in, books, live);
  for (const auto& [slot, tentative] : tried.tentative)
    if (!state.jobs[slot].preemptible) charge(in, books, tentative.place);
  for (const auto& [job, held] : state.nominations)
    if (is_kept(in, pending, state.jobs.slot(job), held)) charge(in, books, held);
  // Also what this cycle nominates.
  for (const Change& change : state.trial) {
    const auto* nomination = std::get_if<TrialNomination>(&change);
    if (!nomination || nomination->expected) continue;
    const Grant& place = nomination->place;
    const Shape& shape = state.shape_of(state.jobs[place.job]);
    books.charge(shape.queue, Demand(shape.sized(static_cast<std::int32_t>(place.nodes.size())), place.flavors),
                 Counts::all);
  }
}

}  // namespace ym::engine
