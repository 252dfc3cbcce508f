#include "engine/cycle/seniority.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "engine/cycle/provide.h"
#include "engine/cycle/turn.h"

namespace ym::engine {
namespace {

Seniority own_seniority(const Seat& seat) {
  return {.submitted_at = seat.submitted_at, .eldest = seat.id, .own = seat.id};
}

bool is_of_one_kind(const Shape& shape) { return shape.groups.empty() && shape.anchor == 0; }

// Machines are what its jobs lack.
bool lacks_machines(Cycle& cycle, Index index) {
  const Shape& shape = cycle.state.shapes[index];
  if (!is_of_one_kind(shape) || !may_wait(cycle, index)) return false;
  return std::ranges::any_of(cycle.cases[index].options, [&](const Option& option) {
    const bool is_there = only_waits(cycle, shape, option) ||
                          (cycle.policy.provide_phase && could_be_provided(cycle, shape, option.flavors));
    return option.within_max && is_there && !cycle.quota_stops(shape, option.flavors, kFleeting);
  });
}

Duration shortest_age_cap(const Cycle& cycle) {
  Duration shortest{std::numeric_limits<std::int64_t>::max()};
  for (Index queue = 0; queue < cycle.lines.size(); ++queue) {
    if (cycle.lines[queue] == cycle.line_ends[queue]) continue;
    const auto own = cycle.state.quota.age_cap_ms(queue);
    shortest = std::min(shortest, own ? Duration{*own} : cycle.policy.age_cap);
  }
  return shortest;
}

}  // namespace

void mark_lenders(Cycle& cycle) {
  if (!cycle.state.orders.any()) return;
  std::vector<std::optional<bool>> lacking(cycle.cases.size());  // by shape
  for (Index queue = 0; queue < cycle.lines.size(); ++queue) {
    if (!cycle.state.orders.has(queue)) continue;
    for (Index at = cycle.lines[queue]; at < cycle.line_ends[queue]; ++at) {
      Seat& seat = cycle.seats[at];
      seat.lends = false;
      if (seat.standing != Standing::open) continue;
      auto& lacks = lacking[seat.shape];
      if (!lacks) lacks = lacks_machines(cycle, seat.shape);
      seat.lends = *lacks && !is_barred(cycle, cycle.rank_at[at]);
    }
  }
}

void wake_when_passed_no_more(Cycle& cycle) {
  const auto considered = std::span(cycle.order).first(cycle.considered);
  if (std::ranges::none_of(considered, [&](Index at) { return cycle.seats[at].lends; })) return;
  const Duration cap = shortest_age_cap(cycle);
  for (const Index at : considered) {
    const Seat& seat = cycle.seats[at];
    const Instant until = after(after(seat.submitted_at, cap), {1});
    if (seat.standing == Standing::open && until > cycle.now && may_wait(cycle, seat.shape)) cycle.wake_at(until);
  }
}

Lenders::Kind Lenders::kind_of(const Cycle& cycle, const Seat& seat) {
  const Shape& shape = cycle.state.shapes[seat.shape];
  return {.urgency = seat.urgency, .rule = is_of_one_kind(shape) ? shape.rule : kNone};
}

void Lenders::form(const Cycle& cycle, Index begin, Index end) {
  begin_ = begin;
  had_turn_.assign(end - begin, false);
  most_ = {
      .submitted_at = cycle.now - shortest_age_cap(cycle) - Duration{1}, .eldest = JobId{~std::uint64_t{0}}, .own = {}};
  for (Index at = begin; at < end; ++at)
    if (cycle.seats[at].lends) rows_[kind_of(cycle, cycle.seats[at])].seats.push_back(at);
  for (auto& [kind, row] : rows_)
    std::ranges::sort(row.seats, {}, [&](Index at) { return own_seniority(cycle.seats[at]); });
}

void Lenders::had_turn(Index seat) {
  if (!had_turn_.empty()) had_turn_[seat - begin_] = true;
}

Seniority Lenders::seniority_of(const Cycle& cycle, Index seat) {
  const Seniority own = own_seniority(cycle.seats[seat]);
  const Kind kind = kind_of(cycle, cycle.seats[seat]);
  const auto row = rows_.empty() || kind.rule == kNone ? rows_.end() : rows_.find(kind);
  if (row == rows_.end()) return own;
  auto& [seats, next] = row->second;
  while (next < seats.size() && had_turn_[seats[next] - begin_]) ++next;
  if (next == seats.size()) return own;
  Seniority lent = std::max(own_seniority(cycle.seats[seats[next]]), most_);
  lent.own = own.own;
  return std::min(own, lent);
}

}  // namespace ym::engine
