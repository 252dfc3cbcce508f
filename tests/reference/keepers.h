// Which jobs block backfill, and what they keep from the jobs behind them: a plain list.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/machines.h"
#include "reference/parts.h"
#include "reference/quota.h"

namespace ym::reference {

class Reservations;

class Keepers {
 public:
  // `use` is without claims. All four are read anew each time.
  Keepers(const Tables& tables, const Machines& machines, const Use& use, const Reservations& reservations)
      : tables_(tables), machines_(machines), use_(use), reservations_(reservations) {}

  void clear() { kept_.clear(); }
  // In each of the flavors, the job keeps what it lacks from jobs behind it. It keeps nothing that others use by right.
  void keep(const Job& job, const std::vector<std::string>& flavors);

  // With `more` in use.
  bool quota_in_the_way(const Job& job, const std::string& flavor, const Use& more = {}) const;
  // From a task of the job. A job that asks for GPUs does not keep a node from a task without GPUs that leaves it room.
  bool keep_node(const Job& job, const Node& node) const;
  std::set<std::string> nodes() const;  // that somebody keeps
  // The first job that keeps something of the flavor from the job; 0: none.
  JobId first(const Job& job, const std::string& flavors) const;

 private:
  struct Kept {
    JobId by;
    std::string flavor, queue;
    // Quota: the kinds, and the cohort below which no queue may borrow (empty: none)
    std::map<ResourceKind, std::string> quota{};
    // or nodes, with the quota for them.
    std::set<std::string> nodes{};
    TaskResources task{};  // of each node
    ResourceVector claim{};
  };
  using Place = std::size_t;  // in the list; its end: nobody

  Use use_with_claims(Place end) const;
  void keep(const Job& job, const std::string& flavor);
  bool is_in_vain(const Job& job, const FlavorNeed& need, const NaiveQuota& now) const;
  void keep_nodes(const Job& job, Kept& kept) const;
  void keep_quota(const Job& job, const FlavorNeed& need, const NaiveQuota& now, Kept& kept) const;
  Place keeps_quota(const Job& job, const FlavorNeed& need, ResourceKind kind, const NaiveQuota& now) const;
  Place claims(const Job& job, const std::string& flavor, ResourceKind kind) const;
  bool keeps(const Kept& kept, const Job& job, const Node& node) const;
  Place keeps_nodes(const Job& job, const std::string& flavor) const;

  const Tables& tables_;
  const Machines& machines_;
  const Use& use_;
  const Reservations& reservations_;  // of what is set aside
  std::vector<Kept> kept_;            // in the order of consideration
};

}  // namespace ym::reference
