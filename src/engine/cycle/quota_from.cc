#include "engine/cycle/quota_from.h"

#include <algorithm>
#include <span>
#include <vector>

#include "engine/cycle/stop/yielding.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

// Jobs with a sure end that use some of the flavors, in the tree of the holder.
class Expirations {
 public:
  Expirations(const Inputs& in, const Tried& tried, Findings& known, const Claims& holder, const Flavors& flavors)
      : in_(in), tried_(tried), holder_(holder), flavors_(flavors), own_(of_own_queue()) {
    const QueueIndex root = in.state.quota.root(holder_.queue);
    add_admitted_now(root, own_);
    std::ranges::sort(own_, {}, &Expiring::order);
    others_ = known.expiring.of_tree(in, tried, root);
    start_over();
  }

  Expirations(const Expirations&) = delete;
  Expirations& operator=(const Expirations&) = delete;

  void start_over() {
    own_left_ = own_;
    others_left_ = others_;
  }

  // What the next job gives back, ordered by end, then by id; empty: all were named. Valid as long as this object.
  std::span<const Expiring> next() {
    while (!others_left_.empty() && !counts(others_left_.front())) others_left_ = others_left_.subspan(1);
    const bool own_is_next =
        !own_left_.empty() && (others_left_.empty() || own_left_.front().order() < others_left_.front().order());
    auto& from = own_is_next ? own_left_ : others_left_;
    std::size_t parts = 0;
    while (parts < from.size() && from[parts].id == from.front().id) ++parts;
    const auto one = from.first(parts);
    from = from.subspan(parts);
    return one;
  }

 private:
  bool counts(const Expiring& other) const {
    if (other.queue == holder_.queue || !flavors_.has(other.flavor)) return false;
    return in_.state.leaving == 0 || !in_.state.allocations.allocation(other.slot).ending.leaving;
  }

  // The job may also stop jobs of its own queue.
  std::vector<Expiring> of_own_queue() const {
    std::vector<Expiring> own;
    for (const Slot slot : in_.state.allocations.of_queue(holder_.queue)) add(slot, own);
    return own;
  }

  void add_admitted_now(QueueIndex root, std::vector<Expiring>& list) const {
    for (const auto& [slot, tentative] : tried_.tentative)
      if (tentative.place.queue != holder_.queue && in_.state.quota.root(tentative.place.queue) == root)
        add(slot, list);
  }

  void add(Slot slot, std::vector<Expiring>& list) const {
    const Allocation& allocation = in_.state.allocations.allocation(slot);
    if (!overlap(flavors_, allocation.charged.flavors) || allocation.ending.leaving) return;
    const Calendar& calendar = tried_.reservations.calendar();
    const Instant end = std::min(calendar.gone_by(allocation.ending), yields_to(in_, tried_, slot, holder_));
    if (const Minute gone = calendar.minute_of(end); gone != kNoMinute) add_expiring(in_, slot, gone, list);
  }

  const Inputs& in_;
  const Tried& tried_;
  Claims holder_;
  const Flavors& flavors_;
  std::vector<Expiring> own_;
  std::span<const Expiring> own_left_, others_, others_left_;
};

// What of an Expiring is given back in one tree.
struct Part {
  const Expiring* of = nullptr;
  ResourceVector amounts;
};
// One per job and flavor, in the order of ends.
using Parts = std::vector<Part>;

// When a tree of quotas has what a job asks for.
class QuotaSearch {
 public:
  QuotaSearch(const Inputs& in, const Tried& tried, const Shape& shape, const Flavors& flavors, QuotaTree& tree)
      : in_(in), tried_(tried), shape_(shape), flavors_(flavors), tree_(tree) {}

  // The smallest prefix that has to be given back; nothing: quota is short even when all are gone.
  std::optional<Parts> run(Expirations& all) {
    if (!tried_.kept_quota.stops(tree_, shape_, flavors_)) return Parts{};
    const bool found = go(all);
    for (std::size_t i = 0; i < removed_; ++i) tree_.add(parts_[i].of->queue, parts_[i].of->flavor, parts_[i].amounts);
    if (!found) return std::nullopt;
    return std::move(parts_);
  }

 private:
  bool go(Expirations& all) {
    if (!name_fewest(all)) return false;
    remove_named();
    while (tried_.kept_quota.stops(tree_, shape_, flavors_)) {
      if (!name_next(all)) return false;
      remove_named();
    }
    return true;
  }

  // Names at least as many as must be gone before the shortage can end.
  bool name_fewest(Expirations& all) {
    const auto shortage = short_now(tree_, shape_, flavors_);
    std::int64_t missing = shortage ? shortage->needed - shortage->bound.amount : 1;
    while (missing > 0) {
      const std::size_t named = parts_.size();
      if (!name_next(all)) return false;
      if (!shortage) break;
      for (const Part& part : std::span(parts_).subspan(named))
        if (part.of->flavor == shortage->flavor) missing -= part.amounts[shortage->kind];
    }
    return true;
  }

  bool name_next(Expirations& all) {
    const auto next = all.next();
    for (const Expiring& part : next)
      if (flavors_.has(part.flavor)) parts_.push_back({.of = &part, .amounts = given_of(part)});
    return !next.empty();
  }

  void remove_named() {
    for (; removed_ < parts_.size(); ++removed_)
      tree_.remove(parts_[removed_].of->queue, parts_[removed_].of->flavor, parts_[removed_].amounts);
  }

  // `reserved` does not contain what other jobs inherit.
  ResourceVector given_of(const Expiring& part) const {
    ResourceVector amounts = part.amounts;
    if (&tree_ != &in_.state.reserved || in_.state.inheritances.empty()) return amounts;
    amounts -= in_.state.inherited_of(part.slot, part.flavor);
    for (const ResourceKind kind : kKindsByWeight) amounts[kind] = std::max<std::int64_t>(amounts[kind], 0);
    return amounts;
  }

  const Inputs& in_;
  const Tried& tried_;
  const Shape& shape_;
  const Flavors& flavors_;
  QuotaTree& tree_;
  Parts parts_;
  std::size_t removed_ = 0;  // how many of parts_
};

Minute last_of(const Parts& parts) { return parts.empty() ? 0 : parts.back().of->gone; }

// Inherits no more than the job asks for where its queue counts it. So in the whole tree never less is reserved than is
// in use until then. Quota of its own queue is inherited first, as that is bounded anyway.
std::vector<Inherited> inherited(const QuotaTree& quota, const Shape& shape, const Flavors& flavors,
                                 const Parts& given) {
  std::vector<Inherited> parts;
  for (const FlavorIndex flavor : flavors.each()) {
    ResourceVector wanted = shape.in(flavors, flavor);
    for (const ResourceKind kind : kKindsByWeight)
      if (!quota.limited(shape.queue, flavor, kind)) wanted[kind] = 0;
    for (const bool own : {true, false})
      for (const auto& [of, amounts] : given) {
        if ((of->queue == shape.queue) != own || of->flavor != flavor) continue;
        ResourceVector part = amounts;
        for (const ResourceKind kind : kKindsByWeight) part[kind] = std::min(part[kind], wanted[kind]);
        if (part == ResourceVector{}) continue;
        wanted -= part;
        parts.push_back({.slot = of->slot, .queue = of->queue, .flavor = flavor, .amounts = part});
      }
  }
  return parts;
}

}  // namespace

std::optional<QuotaLater> quota_from(const Inputs& in, Tried& tried, Findings& known, const PendingEntry& entry,
                                     const Flavors& flavors) {
  const Shape& shape = in.state.shapes[entry.shape];
  if (!tried.quota_stops(in, shape, flavors, Walltime{}, When::later)) return QuotaLater{};
  Slot& first = tried.first_short[shape.queue];
  if (first != kNone && first != entry.slot) return std::nullopt;
  first = entry.slot;
  const Claims holder = claims_of(in.state.jobs[entry.slot], shape.queue);
  Expirations all(in, tried, known, holder, flavors);
  const auto given = QuotaSearch(in, tried, shape, flavors, in.state.reserved).run(all);
  if (!given) return std::nullopt;
  QuotaLater found{.from = last_of(*given), .inherits = inherited(in.state.quota, shape, flavors, *given)};
  if (in.state.inheritances.empty()) return found;
  // Until jobs end, they still have what others inherit from them.
  all.start_over();
  const auto free = QuotaSearch(in, tried, shape, flavors, in.state.claimed).run(all);
  if (!free) return std::nullopt;
  found.from = std::max(found.from, last_of(*free));
  return found;
}

}  // namespace ym::engine
