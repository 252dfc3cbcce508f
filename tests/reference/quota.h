// Naive quota: every number from its definition, computed each time it is asked for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

// Usage: by queue, flavor, kind.
using Use = std::map<std::tuple<std::string, std::string, ResourceKind>, std::int64_t>;

// This number of tasks of the job, in each of its flavors.
void charge(Use& use, const Job& job, const std::string& queue, const std::string& flavors, std::size_t tasks);

// Whether the queue, or one above it, is stopped in this way.
bool has_policy(const Tables& tables, const std::string& queue, StopPolicy policy);
inline bool is_stopped(const Tables& tables, const std::string& queue) {
  return has_policy(tables, queue, StopPolicy::hold) || has_policy(tables, queue, StopPolicy::hold_and_drain);
}

class NaiveQuota {
 public:
  NaiveQuota(const std::map<std::string, Queue>& queues, const Use& use) : queues_(queues), use_(use) {}

  // The parents lead to a root, through existing queues.
  bool sound(const std::string& queue) const;
  // Sound, and a leaf.
  bool can_hold_jobs(const std::string& queue) const;
  std::string root(const std::string& queue) const;
  // The queue, and the queues above it up to the root.
  std::vector<std::string> way_up(const std::string& queue) const;
  // The quota of the queue or, without one, what any queue of its tree has quota for, by name. Nothing: no limit.
  std::optional<QuotaList> quota_for(const std::string& queue) const;
  bool limited(const std::string& queue, const std::string& flavor, ResourceKind kind) const;

  std::int64_t subtree(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t local(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t usage(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t available(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t potential(const std::string& queue, const std::string& flavor, ResourceKind kind) const;

  bool covers_now(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  // For all parts of a job.
  bool covers_now(const Job& job, const std::string& flavors) const { return !first_short(job, flavors); }
  bool covers_ever(const Job& job, const std::string& flavors) const {
    return NaiveQuota(queues_, {}).covers_now(job, flavors);
  }
  // The flavor of the first part with too little quota.
  std::optional<std::string> first_short(const Job& job, const std::string& flavors) const;
  // The same without any usage.
  std::optional<std::string> never_enough(const Job& job, const std::string& flavors) const {
    return NaiveQuota(queues_, {}).first_short(job, flavors);
  }
  bool borrows_any(const Job& job, const std::string& flavors) const;
  bool asks_for_any(const std::string& queue, const Job& job, const std::string& flavors) const;
  bool covers_ever(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  // The kinds of the request that are limited.
  std::vector<ResourceKind> asked(const std::string& queue, const std::string& flavor,
                                  const ResourceVector& need) const;
  bool is_short(const std::string& queue, const std::string& flavor, ResourceKind kind, std::int64_t need) const;
  // The highest queue up the tree with a limit that is in the way of this need; empty: none.
  std::string highest_short(const std::string& queue, const std::string& flavor, ResourceKind kind,
                            std::int64_t need) const;
  // Whether there would be too little even if the queue used nothing and all other queues gave back what they borrow.
  bool is_short_by_right(const std::string& queue, const std::string& flavor, ResourceKind kind,
                         std::int64_t need) const;
  // Of any kind.
  bool borrows_any(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  bool borrows(const std::string& queue, const std::string& flavor, ResourceKind kind, std::int64_t need) const;

 private:
  std::optional<Quota> own(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  // The usage of a queue up the tree from the first, with only the usage that other queues have by right.
  std::int64_t usage_by_right(const std::vector<std::string>& way, const std::string& queue, const std::string& flavor,
                              ResourceKind kind) const;
  std::int64_t available(const std::string& queue, const std::string& flavor, ResourceKind kind,
                         const std::function<std::int64_t(const std::string&)>& usage_of) const;
  template <class Sum>
  std::int64_t over_children(const std::string& queue, Sum sum) const;

  const std::map<std::string, Queue>& queues_;
  const Use& use_;
};

}  // namespace ym::reference
