// Who is considered, and in which order.
#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "engine/cycle/cycle.h"
#include "engine/state/deadlines.h"

namespace ym::engine {
namespace {

// What holds for all jobs of a shape.
struct ShapeFacts {
  Index queue = kNone;
  Standing standing = Standing::open;  // of the queue: open, stopped or misconfigured
  Duration age_cap;
};

ShapeFacts facts_of(const Cycle& cycle, const Shape& shape) {
  const Index queue = shape.queue;
  const auto own_cap = cycle.state.quota.age_cap_ms(queue);
  ShapeFacts facts{.queue = queue, .age_cap = own_cap ? Duration{*own_cap} : cycle.policy.age_cap};
  if (cycle.state.quota.fault(queue) != QueueFault::none) facts.standing = Standing::misconfigured;
  else if (cycle.state.stops.held_by(queue) != kNone) facts.standing = Standing::stopped;
  return facts;
}

Standing standing_of(const JobRow& job, const ShapeFacts& facts, Instant now) {
  if (job.waiting == Waiting::held) return Standing::held;
  if (facts.standing != Standing::open) return facts.standing;
  return job.not_before && *job.not_before > now ? Standing::backoff : Standing::open;
}

}  // namespace

Standing standing_of(const Cycle& cycle, const JobRow& job) {
  return standing_of(job, facts_of(cycle, cycle.state.shape_of(job)), cycle.now);
}

namespace {

Duration stay_of(const JobRow& job) {
  Duration stay{std::numeric_limits<std::int64_t>::max()};
  if (job.time_limit && __builtin_add_overflow(job.time_limit->ms, job.grace.ms, &stay.ms))
    stay.ms = std::numeric_limits<std::int64_t>::max();
  return stay;
}

Seat seat_of(const JobRow& job, const ShapeFacts& facts, Index slot, Standing standing) {
  // "Longer than" the cap: the first millisecond after it.
  return {.id = job.id,
          .submitted_at = job.submitted_at,
          .aged_at = after(after(job.waits_since, facts.age_cap), {1}),
          .slot = slot,
          .shape = job.shape,
          .queue = facts.queue,
          .standing = standing,
          .urgency = -std::int64_t{job.priority},
          .stay = stay_of(job),
          .priority = job.priority,
          .pending = job.pending};
}

using Seats = std::vector<Seat>;

// Shows jobs to their seats, in the order in which they come.
struct Usher {
  Cycle& cycle;
  std::vector<ShapeFacts> facts{};  // by shape
  Seats considered{}, others{};

  explicit Usher(Cycle& of) : cycle(of) {
    for (Index shape = 0; shape < cycle.cases.size(); ++shape)
      facts.push_back(cycle.state.shapes.in_use(shape) ? facts_of(cycle, cycle.state.shapes[shape]) : ShapeFacts{});
    considered.reserve(cycle.state.jobs.waiting().size());
  }

  void seat(Index slot) {
    const JobRow& job = cycle.state.jobs[slot];
    // Who is to be cancelled waits for nothing any more.
    if (job.cancel_requested) return;
    const Standing standing = standing_of(job, facts[job.shape], cycle.now);
    if (standing == Standing::backoff) cycle.wake_at(*job.not_before);
    const bool kept = !cycle.state.holds.empty() && cycle.state.holds.find(job.id);
    const bool is_considered = standing == Standing::open || (kept && standing != Standing::misconfigured);
    Seats& seats = is_considered ? considered : others;
    seats.push_back(seat_of(job, facts[job.shape], slot, kept ? Standing::kept : standing));
    if (!is_considered) return;
    ShapeCase& one = cycle.cases[job.shape];
    one.open = one.open || standing == Standing::open;
    one.least.add(seats.back());
  }
};

struct Seated {
  Turn turn;
  Seat seat;
};

// Then it comes behind those who can still make their deadlines.
void wake_when_late(Cycle& cycle, const JobRow& job, Index queue) {
  if (!cycle.state.orders.by_deadline(queue)) return;
  const Instant latest = job.deadline ? latest_start(job).value_or(*job.deadline) : Instant{};
  if (latest >= cycle.now) cycle.wake_at(after(latest, {1}));
}

// Where a queue has an order of its own, its jobs change places among each other.
void sort_within_queues(Cycle& cycle, Seats& seats) {
  const QueueOrders& orders = cycle.state.orders;
  if (!orders.any()) return;
  std::map<Index, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const Index queue = seats[i].queue;
    if (!orders.has(queue)) continue;
    places[queue].push_back(i);
    wake_when_late(cycle, cycle.state.jobs[seats[i].slot], queue);
  }
  for (const auto& [queue, own] : places) {
    std::vector<Seated> jobs;
    for (const std::size_t i : own)
      jobs.push_back({.turn = orders.turn_of(cycle.state.jobs[seats[i].slot], queue, cycle.now), .seat = seats[i]});
    std::ranges::sort(jobs, {}, &Seated::turn);
    for (std::size_t i = 0; i < own.size(); ++i) {
      seats[own[i]] = jobs[i].seat;
      seats[own[i]].urgency = jobs[i].turn.urgency;
    }
  }
}

std::vector<Index> by_id(const JobTable& jobs) {
  std::vector<Index> slots = jobs.waiting();
  std::ranges::sort(slots, {}, [&](Index slot) { return jobs[slot].id; });
  return slots;
}

// Those of a queue sit together, so that who is asked after who is near in memory.
void take_seats(Cycle& cycle, const Seats& considered, const Seats& others) {
  cycle.considered = static_cast<Rank>(considered.size());
  cycle.lines.assign(cycle.state.queue_names.size() + 1, 0);
  for (const Seat& seat : considered) cycle.lines[seat.queue + 1] += 1;
  std::partial_sum(cycle.lines.begin(), cycle.lines.end(), cycle.lines.begin());
  cycle.seats.resize(considered.size() + others.size());
  cycle.order.resize(cycle.seats.size());
  cycle.rank_at.resize(cycle.seats.size());
  cycle.seat_of.assign(cycle.state.jobs.slots(), kNone);
  std::vector<Index> next = cycle.lines;
  Rank rank = 0;
  const auto sit = [&](const Seat& seat, Index at) {
    cycle.seats[at] = seat;
    cycle.seat_of[seat.slot] = at;
    cycle.rank_at[at] = rank;
    cycle.order[rank] = at;
    ++rank;
  };
  for (const Seat& seat : considered) {
    cycle.cases[seat.shape].last_seat = next[seat.queue];
    sit(seat, next[seat.queue]++);
  }
  for (const Seat& seat : others) sit(seat, rank);
}

// As far as queues or users are compared by it.
std::optional<Lately> known_lately(const Cycle& cycle) {
  const State::Impl& state = cycle.state;
  const bool of_queues = cycle.policy.fair_share == FairShare::decayed && state.quota.limits_any();
  const bool of_users = state.orders.any_shares_among_users();
  if (!of_queues && !of_users) return std::nullopt;
  ResourceVector machines;
  for (Index node = 0; of_users && node < state.inventory.rows.size(); ++node)
    if (state.inventory.rows[node]) machines += state.inventory.size_of(node);
  return Lately({.rows = state.usage,
                 .quota = state.quota,
                 .queues = state.queue_names,
                 .users = state.user_names,
                 .flavors = state.inventory.flavor_names,
                 .machines = machines},
                cycle.policy.usage_kept);
}

}  // namespace

// So many rows are on their way from memory while one is read.
constexpr std::size_t kAhead = 16;

void order(Cycle& cycle) {
  if (cycle.policy.order_phase) cycle.lately = known_lately(cycle);
  const JobTable& jobs = cycle.state.jobs;
  Usher usher(cycle);
  if (cycle.policy.order_phase) {
    const std::vector<Index>& waiting = jobs.waiting();
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (i + kAhead < waiting.size()) jobs.fetch(waiting[i + kAhead]);
      usher.seat(waiting[i]);
    }
    sort_within_queues(cycle, usher.considered);
  } else {
    for (const Index slot : by_id(jobs)) usher.seat(slot);
  }
  take_seats(cycle, usher.considered, usher.others);
}

}  // namespace ym::engine
