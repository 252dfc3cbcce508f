#include "engine/cycle/quota_from.h"

#include <algorithm>
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
        flavors_(flavors) {}

  // In the order of their ends, then by id. They stay until the next question.
  std::vector<const Passer*> all() {
    const Index root = cycle_.state.quota.root(holder_.queue);
    own_ = of_own_queue();
    add_admitted_now(root, own_);
    std::ranges::sort(own_, {}, &Passer::order);
    std::vector<const Passer*> both;
    auto own = own_.begin();
    for (const Passer& other : cycle_.passers.of_tree(cycle_, root)) {
      if (!has_passed(other)) continue;
      for (; own != own_.end() && own->order() < other.order(); ++own) both.push_back(&*own);
      both.push_back(&other);
    }
    for (; own != own_.end(); ++own) both.push_back(&*own);
    return both;
  }

 private:
  bool has_passed(const Passer& other) const {
    return other.admitted_at >= since_ && other.queue != holder_.queue && concerns(other.charged) &&
           !cycle_.state.stays.tenant(other.slot).ending.leaving;
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
};

// So many have to be gone at least before what is short can be enough; more than there are: never.
std::size_t fewest_gone(const std::vector<const Passer*>& passed, const std::optional<Shortage>& shortage) {
  if (!shortage) return 1;
  std::int64_t missing = shortage->needed - shortage->bound.amount;
  std::size_t gone = 0;
  for (; gone < passed.size() && missing > 0; ++gone)
    missing -= passed[gone]->charged.in(shortage->flavor)[shortage->kind];
  return missing > 0 ? passed.size() + 1 : gone;
}

}  // namespace

std::optional<Minute> quota_from(Cycle& cycle, Rank rank, const Flavors& flavors) {
  const Shape& shape = cycle.shape(rank);
  if (!cycle.quota_stops(shape, flavors, Tenure{}, When::later)) return 0;
  Index& first = cycle.first_short[shape.queue];
  if (first != kNone && first != cycle.seat(rank).slot) return std::nullopt;
  first = cycle.seat(rank).slot;
  QuotaTree& promised = cycle.state.promised;
  Passed who(cycle, rank, flavors);
  const std::vector<const Passer*> passed = who.all();
  const std::size_t fewest = fewest_gone(passed, short_now(promised, shape, flavors));
  if (fewest > passed.size()) return std::nullopt;
  std::optional<Minute> from;
  std::size_t gone = 0;
  while (!from && gone < passed.size()) {
    for (const Index flavor : flavors.each())
      promised.remove(passed[gone]->queue, flavor, passed[gone]->charged.in(flavor));
    gone += 1;
    if (gone >= fewest && !cycle.kept_quota.stops(promised, shape, flavors)) from = passed[gone - 1]->gone;
  }
  for (; gone > 0; --gone)
    for (const Index flavor : flavors.each())
      promised.add(passed[gone - 1]->queue, flavor, passed[gone - 1]->charged.in(flavor));
  return from;
}

}  // namespace ym::engine
