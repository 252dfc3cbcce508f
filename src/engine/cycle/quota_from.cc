#include "engine/cycle/quota_from.h"

#include <algorithm>
#include <span>
#include <vector>

#include "engine/cycle/yielding.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Who passed a job of this rank, in one of the flavors, in its tree.
class Passed {
 public:
  Passed(Cycle& cycle, Rank rank, const Flavors& flavors)
      : cycle_(cycle),
        since_(cycle.seat(rank).submitted_at),
        holder_(claims_of(cycle.job(rank), cycle.queue_of(rank))),
        flavors_(flavors),
        own_(of_own_queue()) {
    const Index root = cycle.state.quota.root(holder_.queue);
    add_admitted_now(root, own_);
    std::ranges::sort(own_, {}, &Passer::order);
    own_left_ = own_;
    others_left_ = cycle.passers.of_tree(cycle, root);
  }

  Passed(const Passed&) = delete;
  Passed& operator=(const Passed&) = delete;

  // In the order of their ends, then by id; null: all were named. They stay as long as this.
  const Passer* next() {
    while (!others_left_.empty() && !has_passed(others_left_.front())) others_left_ = others_left_.subspan(1);
    const bool own_is_next =
        !own_left_.empty() && (others_left_.empty() || own_left_.front().order() < others_left_.front().order());
    auto& from = own_is_next ? own_left_ : others_left_;
    if (from.empty()) return nullptr;
    const Passer* const passer = &from.front();
    from = from.subspan(1);
    return passer;
  }

 private:
  bool has_passed(const Passer& other) const {
    if (other.admitted_at < since_ || other.queue == holder_.queue || !concerns(other.charged)) return false;
    return cycle_.state.leaving == 0 || !cycle_.state.stays.tenant(other.slot).ending.leaving;
  }
  bool concerns(const Charged& charged) const { return overlap(flavors_, charged.flavors); }

  // These it may stop, too.
  std::vector<Passer> of_own_queue() const {
    std::vector<Passer> own;
    for (const Index slot : cycle_.state.stays.of_queue(holder_.queue)) add(slot, own);
    return own;
  }

  void add_admitted_now(Index root, std::vector<Passer>& list) const {
    for (const auto& [slot, fresh] : cycle_.fresh)
      if (fresh.place.queue != holder_.queue && cycle_.state.quota.root(fresh.place.queue) == root) add(slot, list);
  }

  void add(Index slot, std::vector<Passer>& list) const {
    const Tenant& tenant = cycle_.state.stays.tenant(slot);
    const Instant admitted_at = tenant.ending.admitted_at.value_or(cycle_.now);
    if (!concerns(tenant.charged) || tenant.ending.leaving || admitted_at < since_) return;
    const Calendar& calendar = cycle_.reservations.calendar();
    const Instant end = std::min(calendar.gone_by(tenant.ending), yields_to(cycle_, slot, holder_));
    if (const Minute gone = calendar.minute_of(end); gone != kNoMinute)
      list.push_back({.gone = gone,
                      .id = cycle_.state.jobs[slot].id,
                      .admitted_at = admitted_at,
                      .slot = slot,
                      .queue = tenant.queue,
                      .charged = tenant.charged});
  }

  Cycle& cycle_;
  Instant since_;
  Claims holder_;
  const Flavors& flavors_;
  std::vector<Passer> own_;
  std::span<const Passer> own_left_, others_left_;
};

using Gone = std::vector<const Passer*>;

// As many as have to be gone at least before what is short can be enough; none: there are not as many.
Gone fewest_gone(Passed& passed, const std::optional<Shortage>& shortage) {
  std::int64_t missing = shortage ? shortage->needed - shortage->bound.amount : 1;
  Gone gone;
  while (missing > 0) {
    const Passer* const next = passed.next();
    if (!next) return {};
    gone.push_back(next);
    missing -= shortage ? next->charged.in(shortage->flavor)[shortage->kind] : 1;
  }
  return gone;
}

}  // namespace

std::optional<Minute> quota_from(Cycle& cycle, Rank rank, const Flavors& flavors) {
  const Shape& shape = cycle.shape(rank);
  if (!cycle.quota_stops(shape, flavors, Tenure{}, When::later)) return 0;
  Index& first = cycle.first_short[shape.queue];
  if (first != kNone && first != cycle.seat(rank).slot) return std::nullopt;
  first = cycle.seat(rank).slot;
  return quota_when_passers_go(cycle, rank, flavors);
}

std::optional<Minute> quota_when_passers_go(Cycle& cycle, Rank rank, const Flavors& flavors) {
  const Shape& shape = cycle.shape(rank);
  QuotaTree& promised = cycle.state.promised;
  Passed passed(cycle, rank, flavors);
  Gone gone = fewest_gone(passed, short_now(promised, shape, flavors));
  if (gone.empty()) return std::nullopt;
  const auto remove = [&](const Passer* one) {
    for (const Index flavor : flavors.each()) promised.remove(one->queue, flavor, one->charged.in(flavor));
  };
  std::ranges::for_each(gone, remove);
  std::optional<Minute> from;
  while (!from) {
    if (!cycle.kept_quota.stops(promised, shape, flavors)) {
      from = gone.back()->gone;
    } else if (const Passer* const next = passed.next()) {
      gone.push_back(next);
      remove(next);
    } else {
      break;
    }
  }
  for (const Passer* one : gone)
    for (const Index flavor : flavors.each()) promised.add(one->queue, flavor, one->charged.in(flavor));
  return from;
}

}  // namespace ym::engine
