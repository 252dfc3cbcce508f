#include "engine/cycle/seniority.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/cycle/age.h"
#include "engine/cycle/provide.h"
#include "engine/cycle/quota_from.h"
#include "engine/cycle/turn.h"

namespace ym::engine {
namespace {

// No id has it.
constexpr std::uint64_t kBehindAll = std::uint64_t{1} << 63;

Seniority own_seniority(const Seat& seat) { return {.submitted_at = seat.submitted_at, .id = seat.id}; }

bool is_of_one_kind(const Shape& shape) { return shape.groups.empty() && shape.anchor == 0; }

bool is_served(const Inputs& in, const Shape& shape, const Option& option) {
  return option.within_max &&
         (only_waits(in, shape, option) || (in.policy.provide_phase && could_be_provided(in, shape, option.flavors)));
}

// What jobs of a shape lack.
enum class Lacks : std::uint8_t { machines, quota, what_never_comes };

Lacks lack_of(Cycle& cycle, ShapeIndex index) {
  const Shape& shape = cycle.in.state.shapes[index];
  if (!is_of_one_kind(shape) || !may_wait(cycle, index)) return Lacks::what_never_comes;
  const auto& options = cycle.known.cases[index].options;
  const bool has_quota = std::ranges::any_of(options, [&](const Option& option) {
    return is_served(cycle.in, shape, option) && !cycle.quota_stops(shape, option.flavors, kFleeting);
  });
  return has_quota ? Lacks::machines : Lacks::quota;
}

// Its quota comes back when others of its tree end: that costs it no promise (quota_from.h).
bool comes_back(Cycle& cycle, Rank rank) {
  const Shape& shape = cycle.shape(rank);
  return std::ranges::any_of(cycle.case_of(rank).options, [&](const Option& option) {
    return is_served(cycle.in, shape, option) && (!cycle.quota_stops(shape, option.flavors, Tenure{}, When::later) ||
                                                  quota_when_others_go(cycle, rank, option.flavors).has_value());
  });
}

Duration shortest_age_cap(const Cycle& cycle) {
  Duration shortest{std::numeric_limits<std::int64_t>::max()};
  for (const QueueIndex queue : indices<QueueIndex>(cycle.line_up.lines.size())) {
    const auto line =
        std::span(cycle.line_up.seats.raw())
            .subspan(cycle.line_up.lines[queue].value, cycle.line_up.line_ends[queue] - cycle.line_up.lines[queue]);
    if (std::ranges::all_of(line, &Seat::placed)) continue;
    shortest = std::min(shortest, age_cap_of(cycle.in, queue));
  }
  return shortest;
}

// Of those in a line who lack quota the first alone may be promised any.
class LineOfLenders {
 public:
  LineOfLenders(Cycle& cycle, IndexedVector<ShapeIndex, std::optional<Lacks>>& known) : cycle_(cycle), known_(known) {}

  bool lends(SeatIndex at) {
    const Seat& seat = cycle_.line_up.seats[at];
    if (seat.standing != Standing::open) return false;
    auto& lack = known_[seat.shape];
    if (!lack) lack = lack_of(cycle_, seat.shape);
    if (*lack == Lacks::what_never_comes || is_barred(cycle_, cycle_.line_up.rank_at[at])) return false;
    return *lack == Lacks::machines ||
           (!std::exchange(some_lacks_, true) && comes_back(cycle_, cycle_.line_up.rank_at[at]));
  }

 private:
  Cycle& cycle_;
  IndexedVector<ShapeIndex, std::optional<Lacks>>& known_;
  bool some_lacks_ = false;  // quota
};

}  // namespace

void mark_lenders(Cycle& cycle) {
  if (!cycle.in.state.orders.any()) return;
  IndexedVector<ShapeIndex, std::optional<Lacks>> known(cycle.known.cases.size());
  for (const QueueIndex queue : indices<QueueIndex>(cycle.line_up.lines.size())) {
    if (!cycle.in.state.orders.has(queue)) continue;
    LineOfLenders line(cycle, known);
    for (const SeatIndex at : IndexRange(cycle.line_up.lines[queue], cycle.line_up.line_ends[queue]))
      cycle.line_up.seats[at].lends = line.lends(at);
  }
}

Instant most_lent(const Cycle& cycle) {
  return cycle.in.state.orders.any() ? cycle.in.now - shortest_age_cap(cycle) - Duration{1} : Instant{};
}

void wake_when_passed_no_more(Cycle& cycle) {
  if (!cycle.in.state.orders.any()) return;
  const auto considered = std::span(cycle.line_up.order.raw()).first(cycle.line_up.considered.value);
  if (std::ranges::none_of(considered, [&](SeatIndex at) { return cycle.line_up.seats[at].lends; })) return;
  const Duration cap = shortest_age_cap(cycle);
  for (const SeatIndex at : considered) {
    const Seat& seat = cycle.line_up.seats[at];
    const Instant until = after(after(seat.submitted_at, cap), {1});
    if (seat.standing == Standing::open && until > cycle.in.now && may_wait(cycle, seat.shape))
      cycle.out.wake_at(until);
  }
}

Lenders::Kind Lenders::kind_of(const Cycle& cycle, const Seat& seat) {
  const Shape& shape = cycle.in.state.shapes[seat.shape];
  return {.urgency = seat.urgency, .rule = is_of_one_kind(shape) ? shape.rule : kNone};
}

void Lenders::form(const Cycle& cycle, SeatIndex begin, SeatIndex end, Instant most) {
  begin_ = begin;
  had_turn_.assign(end - begin, false);
  most_ = most;
  for (const SeatIndex at : IndexRange(begin, end))
    if (cycle.line_up.seats[at].lends) rows_[kind_of(cycle, cycle.line_up.seats[at])].seats.push_back(at);
  for (auto& [kind, row] : rows_)
    std::ranges::sort(row.seats, {}, [&](SeatIndex at) { return own_seniority(cycle.line_up.seats[at]); });
}

Seniority Lenders::with_what_is_lent(const Seniority& own, const Seat& seat, const Cycle& cycle) {
  const Kind kind = kind_of(cycle, seat);
  const auto row = kind.rule == kNone ? rows_.end() : rows_.find(kind);
  if (row == rows_.end()) return own;
  auto& [seats, next] = row->second;
  while (next < seats.size() && had_turn_[seats[next] - begin_]) ++next;
  if (next == seats.size()) return own;
  const Seniority most{.submitted_at = most_, .id = JobId{kBehindAll | own.id.value}};
  return std::min(own, std::max(own_seniority(cycle.line_up.seats[seats[next]]), most));
}

}  // namespace ym::engine
