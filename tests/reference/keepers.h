// Who may not be passed, and what they keep from those behind them: a plain list.
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

class Promises;

class Keepers {
 public:
  // `use` is without claims; all four are looked at anew each time.
  Keepers(const Tables& tables, const Machines& machines, const Use& use, const Promises& promises)
      : tables_(tables), machines_(machines), use_(use), promises_(promises) {}

  void clear() { kept_.clear(); }
  // What the job lacks in each of the flavors it keeps from those that come after it; nothing where others have that by
  // right.
  void keep(const Job& job, const std::vector<std::string>& flavors);

  // With so much more in use.
  bool quota_in_the_way(const Job& job, const std::string& flavor, const Use& more = {}) const;
  // From a task of the job. One that asks for GPUs does not keep a node from a task without that leaves it room.
  bool keep_node(const Job& job, const Node& node) const;
  std::set<std::string> nodes() const;  // that somebody keeps
  // The first who keeps something of the flavor from the job; 0: nobody.
  JobId first(const Job& job, const std::string& flavors) const;

 private:
  struct Kept {
    JobId by;
    std::string flavor, queue;
    // Quota: the kinds, and the cohort below which nobody may borrow (empty: none)
    std::map<ResourceKind, std::string> quota{};
    // or nodes, and its quota with them.
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
  const Promises& promises_;  // of what is set aside
  std::vector<Kept> kept_;    // in the order of consideration
};

}  // namespace ym::reference
