#include "reference/keepers.h"

#include <algorithm>

#include "reference/parts.h"
#include "reference/reservations.h"

namespace ym::reference {

// Usage with the claims of the first entries of the list.
Use Keepers::use_with_claims(Place end) const {
  Use use = use_;
  for (Place i = 0; i < end; ++i)
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      use[{kept_[i].queue, kept_[i].flavor, resource_kind(kind)}] += kept_[i].claim.amounts[kind];
  return use;
}

bool Keepers::quota_in_the_way(const Job& job, const std::string& flavor, const Use& more) const {
  Use use = use_with_claims(kept_.size());
  for (const auto& [where, amount] : more) use[where] += amount;
  const NaiveQuota now(tables_.queues, use);
  if (!now.covers_now(job, flavor)) return true;
  return std::ranges::any_of(needs_of(job, flavor), [&](const FlavorNeed& need) {
    return std::ranges::any_of(now.asked(job.queue, need.flavor, need.amounts),
                               [&](ResourceKind kind) { return keeps_quota(job, need, kind, now) < kept_.size(); });
  });
}

bool Keepers::is_in_vain(const Job& job, const FlavorNeed& need, const NaiveQuota& now) const {
  return std::ranges::any_of(now.asked(job.queue, need.flavor, need.amounts), [&](ResourceKind kind) {
    const std::string limit = now.highest_short(job.queue, need.flavor, kind, need.amounts[kind]);
    return !limit.empty() && limit != job.queue &&
           now.is_short_by_right(job.queue, need.flavor, kind, need.amounts[kind]);
  });
}

void Keepers::keep(const Job& job, const std::vector<std::string>& flavors) {
  for (const auto& flavor : flavors) keep(job, flavor);
}

void Keepers::keep(const Job& job, const std::string& flavor) {
  const bool short_of_quota = quota_in_the_way(job, flavor);
  const Use use = use_with_claims(kept_.size());
  std::vector<Kept> all;
  const auto needs = needs_of(job, flavor);
  const auto in_vain = [&](const FlavorNeed& need) { return is_in_vain(job, need, NaiveQuota(tables_.queues, use)); };
  if (short_of_quota && std::ranges::any_of(needs, in_vain)) return;
  if (short_of_quota)
    for (const FlavorNeed& need : needs) {
      all.push_back({.by = job.id, .flavor = need.flavor, .queue = job.queue});
      keep_quota(job, need, NaiveQuota(tables_.queues, use), all.back());
    }
  else
    for (const auto& [own, part] : parts_of(job, flavor)) {
      all.push_back({.by = job.id, .flavor = own, .queue = job.queue});
      keep_nodes(part, all.back());
    }
  kept_.insert(kept_.end(), all.begin(), all.end());
}

void Keepers::keep_nodes(const Job& job, Kept& kept) const {
  kept.nodes = machines_.serving_nodes(job, kept.flavor);
  std::erase_if(kept.nodes,
                [&](const std::string& node) { return reservations_.closing(job, tables_.nodes.at(node)); });
  kept.task = job.spec->resources;
  kept.claim = job.spec->total();
}

void Keepers::keep_quota(const Job& job, const FlavorNeed& need, const NaiveQuota& now, Kept& kept) const {
  for (const ResourceKind kind : now.asked(job.queue, kept.flavor, need.amounts)) {
    const std::string limit = now.highest_short(job.queue, kept.flavor, kind, need.amounts[kind]);
    if (limit.empty() && keeps_quota(job, need, kind, now) == kept_.size()) continue;
    kept.quota[kind] = limit == job.queue ? "" : limit;
  }
}

Keepers::Place Keepers::keeps_quota(const Job& job, const FlavorNeed& need, ResourceKind kind,
                                    const NaiveQuota& now) const {
  const bool borrows = now.borrows(job.queue, need.flavor, kind, need.amounts[kind]);
  const auto way = now.way_up(job.queue);
  for (Place i = 0; i < kept_.size(); ++i) {
    if (kept_[i].flavor != need.flavor || !kept_[i].quota.contains(kind)) continue;
    if (kept_[i].queue == job.queue) return i;
    if (borrows && std::find(way.begin() + 1, way.end(), kept_[i].quota.at(kind)) != way.end()) return i;
  }
  return kept_.size();
}

// The first entry with a claim that counts on the way up from the job's queue.
Keepers::Place Keepers::claims(const Job& job, const std::string& flavor, ResourceKind kind) const {
  const NaiveQuota without(tables_.queues, use_);
  for (Place i = 0; i < kept_.size(); ++i) {
    const Use use = use_with_claims(i + 1);
    const NaiveQuota with(tables_.queues, use);
    for (const auto& name : with.way_up(job.queue))
      if (with.usage(name, flavor, kind) > without.usage(name, flavor, kind)) return i;
  }
  return kept_.size();
}

Keepers::Place Keepers::keeps_nodes(const Job& job, const std::string& flavor) const {
  for (Place i = 0; i < kept_.size(); ++i)
    for (const auto& name : machines_.suitable_nodes(job, flavor))
      if (const Node& node = tables_.nodes.at(name); machines_.can_serve(job, node) && keeps(kept_[i], job, node))
        return i;
  return kept_.size();
}

bool Keepers::keeps(const Kept& kept, const Job& job, const Node& node) const {
  if (!kept.nodes.contains(node.name)) return false;
  const bool delays = job.spec->resources.devices() > 0 || kept.task.devices() == 0;
  return delays || !machines_.has_room_beside(job, kept.task, node);
}

bool Keepers::keep_node(const Job& job, const Node& node) const {
  return std::ranges::any_of(kept_, [&](const Kept& kept) { return keeps(kept, job, node); });
}

std::set<std::string> Keepers::nodes() const {
  std::set<std::string> all;
  for (const Kept& kept : kept_) all.insert(kept.nodes.begin(), kept.nodes.end());
  return all;
}

JobId Keepers::first(const Job& job, const std::string& flavors) const {
  const Use use = use_with_claims(kept_.size());
  const NaiveQuota now(tables_.queues, use);
  Place place = kept_.size();
  for (const auto& [flavor, part] : parts_of(job, flavors)) place = std::min(place, keeps_nodes(part, flavor));
  for (const FlavorNeed& need : needs_of(job, flavors))
    for (const ResourceKind kind : now.asked(job.queue, need.flavor, need.amounts)) {
      place = std::min(place, keeps_quota(job, need, kind, now));
      if (now.is_short(job.queue, need.flavor, kind, need.amounts[kind]))
        place = std::min(place, claims(job, need.flavor, kind));
    }
  return place == kept_.size() ? JobId{} : kept_[place].by;
}

}  // namespace ym::reference
