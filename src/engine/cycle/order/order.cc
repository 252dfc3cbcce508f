// Which jobs are considered, and in which order.
#include <algorithm>
#include <limits>

#include "engine/cycle/cycle.h"
#include "engine/cycle/order/age.h"
#include "engine/cycle/order/own_waits.h"
#include "engine/state/deadlines.h"

namespace ym::engine {
namespace {

// What holds for all jobs of a shape.
struct ShapeFacts {
  QueueIndex queue = kNone;
  EntryStatus status = EntryStatus::open;  // the queue's: open, stopped or misconfigured
  Duration age_cap;
};

ShapeFacts facts_of(const Inputs& in, const Shape& shape) {
  const QueueIndex queue = shape.queue;
  ShapeFacts facts{.queue = queue, .age_cap = age_cap_of(in, queue)};
  if (in.state.quota.fault(queue) != QueueFault::none) facts.status = EntryStatus::misconfigured;
  else if (in.state.stops.held_by(queue) != kNone) facts.status = EntryStatus::stopped;
  return facts;
}

EntryStatus status_of(const JobRow& job, const ShapeFacts& facts, Instant now) {
  if (job.waiting == Waiting::held) return EntryStatus::held;
  if (facts.status != EntryStatus::open) return facts.status;
  return job.not_before && *job.not_before > now ? EntryStatus::backoff : EntryStatus::open;
}

}  // namespace

EntryStatus status_of(const Inputs& in, const JobRow& job) {
  return status_of(job, facts_of(in, in.state.shape_of(job)), in.now);
}

namespace {

Duration occupancy_of(const JobRow& job) {
  Duration occupancy{std::numeric_limits<std::int64_t>::max()};
  if (job.time_limit && __builtin_add_overflow(job.time_limit->ms, job.grace.ms, &occupancy.ms))
    occupancy.ms = std::numeric_limits<std::int64_t>::max();
  return occupancy;
}

// A wait is undue if it is this many times the mean wait of the running jobs of the queue.
constexpr std::int64_t kUnduly = 2;

// A job is old when it has waited for longer than the cap: from the first millisecond after it.
Instant aged_at(const JobRow& job, const ShapeFacts& facts, OwnWaits& waits, Instant now) {
  const Instant capped = after(after(job.waits_since, facts.age_cap), {1});
  if (now < capped) return capped;
  const Duration unduly{kUnduly * waits.of_queue(facts.queue).ms};
  return after(after(job.waits_since, std::max(facts.age_cap, unduly)), {1});
}

PendingEntry entry_of(const JobRow& job, const ShapeFacts& facts, Slot slot, EntryStatus status, Instant aged_at) {
  return {.id = job.id,
          .submitted_at = job.submitted_at,
          .aged_at = aged_at,
          .slot = slot,
          .shape = job.shape,
          .queue = facts.queue,
          .status = status,
          .urgency = -std::int64_t{job.priority},
          .occupancy = occupancy_of(job),
          .priority = job.priority,
          .pending = job.pending};
}

// Fills the entries, in the order in which jobs come. Entries of one queue are contiguous, so entries that are read one
// after the other are close in memory.
class EntryBuilder {
 public:
  explicit EntryBuilder(Cycle& cycle)
      : in_(cycle.in),
        pending_(cycle.pending),
        shape_caches_(cycle.known.shape_caches),
        out_(cycle.out),
        waits_(in_.state) {
    const State::Impl& state = in_.state;
    IndexedVector<QueueIndex, std::uint32_t> entries_of(state.queue_names.size());
    for (const ShapeIndex shape : indices<ShapeIndex>(shape_caches_.size())) {
      facts_.push_back(state.shapes.in_use(shape) ? facts_of(in_, state.shapes[shape]) : ShapeFacts{});
      if (const std::uint32_t waiting = state.jobs.waiting_count(shape)) entries_of[facts_[shape].queue] += waiting;
    }
    EntryIndex next{0};
    for (const std::uint32_t entries : entries_of) {
      pending_.lines.push_back(next);
      next = next + entries;
    }
    pending_.line_ends = pending_.lines;
    pending_.entries.raw() = in_.state.spare_entries.take();
    pending_.entries.resize(state.jobs.waiting().size());
    pending_.rank_at.resize(pending_.entries.size());
    pending_.order.reserve(pending_.entries.size());
    pending_.entry_of.assign(state.jobs.slots(), kNone);
    for (const RunLimits::Array& array : state.limits.arrays()) left_of_.push_back(array.left());
  }

  void add(Slot slot) {
    const JobRow& job = in_.state.jobs[slot];
    // A job with a requested cancellation does not wait any more.
    if (job.cancel_requested) return;
    const ShapeFacts& facts = facts_[job.shape];
    EntryStatus status = status_of(job, facts, in_.now);
    if (status == EntryStatus::backoff) out_.wake_at(*job.not_before);
    const bool kept = !in_.state.nominations.empty() && in_.state.nominations.find(job.id);
    // Of an array only the first members are considered, as many as its limit lets start. All members are alike, so the
    // others would find no other place.
    if (job.array != kNone && status == EntryStatus::open && !kept && left_of_[job.array]-- <= 0)
      status = EntryStatus::limited;
    const PendingEntry entry =
        entry_of(job, facts, slot, kept ? EntryStatus::kept : status, aged_at(job, facts, waits_, in_.now));
    if (status != EntryStatus::open && (!kept || status == EntryStatus::misconfigured)) {
      others_.push_back(entry);
      return;
    }
    ShapeCache& one = shape_caches_[job.shape];
    one.open = one.open || status == EntryStatus::open;
    one.least.add(entry);
    one.last_entry = pending_.line_ends[facts.queue]++;
    place_at(entry, one.last_entry);
  }
  // Puts the jobs that are not considered behind the others. Call it when all jobs have come.
  void add_others() {
    pending_.considered = pending_.order.end_index();
    for (const PendingEntry& entry : others_) {
      pending_.rank_at.push_back(kNone);
      place_at(entry, pending_.entries.emplace_back());
    }
  }

 private:
  void place_at(const PendingEntry& entry, EntryIndex at) {
    // All queues are filled side by side. So prefetch the next few entries of this queue.
    __builtin_prefetch(&pending_.entries[std::min(at + 4, EntryIndex(pending_.entries.size() - 1))], 1);
    pending_.entries[at] = entry;
    pending_.entry_of[entry.slot] = at;
    pending_.rank_at[at] = pending_.order.end_index();
    pending_.order.push_back(at);
  }

  const Inputs& in_;
  PendingEntries& pending_;
  IndexedVector<ShapeIndex, ShapeCache>& shape_caches_;
  Output& out_;
  OwnWaits waits_;
  IndexedVector<ShapeIndex, ShapeFacts> facts_;
  IndexedVector<ArrayIndex, std::int64_t> left_of_;  // members that may still be considered
  std::vector<PendingEntry> others_;
};

// Wakes when the deadline can no longer be met: then the job comes behind jobs that can still meet theirs.
void wake_when_late(const Inputs& in, Output& out, const JobRow& job, QueueIndex queue) {
  if (!in.state.orders.by_deadline(queue)) return;
  const Instant latest = job.deadline ? latest_start(job).value_or(*job.deadline) : Instant{};
  if (latest >= in.now) out.wake_at(after(latest, {1}));
}

struct Keyed {
  DequeueKey key;
  PendingEntry entry;
};

// A queue with an order of its own sorts its entries.
void sort_within(Cycle& cycle, QueueIndex queue) {
  std::vector<Keyed> jobs;
  for (const EntryIndex at : IndexRange(cycle.pending.lines[queue], cycle.pending.line_ends[queue])) {
    const JobRow& job = cycle.in.state.jobs[cycle.pending.entries[at].slot];
    wake_when_late(cycle.in, cycle.out, job, queue);
    jobs.push_back(
        {.key = cycle.in.state.orders.dequeue_key(job, queue, cycle.in.now), .entry = cycle.pending.entries[at]});
  }
  std::ranges::sort(jobs, {}, &Keyed::key);
  EntryIndex at = cycle.pending.lines[queue];
  for (const Keyed& job : jobs) {
    cycle.pending.entries[at] = job.entry;
    cycle.pending.entries[at].urgency = job.key.urgency;
    cycle.pending.entry_of[job.entry.slot] = at;
    cycle.known.shape_caches[job.entry.shape].last_entry = at++;
  }
}

void sort_within_queues(Cycle& cycle) {
  if (!cycle.in.state.orders.any()) return;
  for (const QueueIndex queue : indices<QueueIndex>(cycle.pending.lines.size()))
    if (cycle.in.state.orders.has(queue)) sort_within(cycle, queue);
}

std::vector<Slot> by_id(const JobTable& jobs) {
  std::vector<Slot> slots = jobs.waiting();
  std::ranges::sort(slots, {}, [&](Slot slot) { return jobs[slot].id; });
  return slots;
}

// Decayed usage, if queues or users are compared by it.
std::optional<DecayedUsage> known_decayed_usage(const Inputs& in) {
  const State::Impl& state = in.state;
  const bool of_queues = in.policy.fair_share == FairShare::decayed && state.quota.limits_any();
  const bool of_users = state.orders.any_shares_among_users();
  if (!of_queues && !of_users) return std::nullopt;
  ResourceVector machines;
  for (const NodeIndex node : state.inventory.rows.indices())
    if (of_users && state.inventory.rows[node]) machines += state.inventory.size_of(node);
  return DecayedUsage({.rows = state.usage,
                       .quota = state.quota,
                       .queues = state.queue_names,
                       .users = state.user_names,
                       .flavors = state.inventory.flavor_names,
                       .machines = machines},
                      in.policy.usage_kept);
}

}  // namespace

// This many rows are prefetched ahead of the one that is read.
constexpr std::size_t kAhead = 16;

void order(Cycle& cycle) {
  if (cycle.in.policy.order_phase) cycle.tried.decayed_usage = known_decayed_usage(cycle.in);
  const JobTable& jobs = cycle.in.state.jobs;
  EntryBuilder entries(cycle);
  if (cycle.in.policy.order_phase) {
    const std::vector<Slot>& waiting = jobs.waiting();
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (i + kAhead < waiting.size()) jobs.fetch(waiting[i + kAhead]);
      entries.add(waiting[i]);
    }
    sort_within_queues(cycle);
  } else {
    for (const Slot slot : by_id(jobs)) entries.add(slot);
  }
  entries.add_others();
}

}  // namespace ym::engine
