// Naive quota: every number from its definition, from scratch, each time it is asked for.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

// Who uses how much: queue, flavor, kind.
using Use = std::map<std::tuple<std::string, std::string, ResourceKind>, std::int64_t>;

// So many tasks of the job, in each of its flavors.
void charge(Use& use, const Job& job, const std::string& queue, const std::string& flavors, std::size_t tasks);

// Whether the queue, or one above it, is stopped; in this way.
bool has_policy(const Tables& tables, const std::string& queue, StopPolicy policy);
inline bool is_stopped(const Tables& tables, const std::string& queue) {
  return has_policy(tables, queue, StopPolicy::hold) || has_policy(tables, queue, StopPolicy::hold_and_drain);
}

class NaiveQuota {
 public:
  NaiveQuota(const std::map<std::string, Queue>& queues, const Use& use) : queues_(queues), use_(use) {}

  // Its way up ends at a root, through queues that exist.
  bool sound(const std::string& queue) const;
  // Sound, and a leaf.
  bool can_hold_jobs(const std::string& queue) const;
  std::string root(const std::string& queue) const;
  // The queue, and those above it up to the root.
  std::vector<std::string> way_up(const std::string& queue) const;
  // The queue's own, or else what any queue of its tree has quota of, by name; nothing: any.
  std::optional<QuotaList> quota_for(const std::string& queue) const;
  bool limited(const std::string& queue, const std::string& flavor, ResourceKind kind) const;

  std::int64_t subtree(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t local(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t usage(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t available(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t potential(const std::string& queue, const std::string& flavor, ResourceKind kind) const;

  bool covers_now(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  // Of all parts of a job.
  bool covers_now(const Job& job, const std::string& flavors) const { return !first_short(job, flavors); }
  bool covers_ever(const Job& job, const std::string& flavors) const {
    return NaiveQuota(queues_, {}).covers_now(job, flavors);
  }
  // The flavor of the first part for which there is too little.
  std::optional<std::string> first_short(const Job& job, const std::string& flavors) const;
  // The same if nobody used anything.
  std::optional<std::string> never_enough(const Job& job, const std::string& flavors) const {
    return NaiveQuota(queues_, {}).first_short(job, flavors);
  }
  bool borrows_any(const Job& job, const std::string& flavors) const;
  bool asks_for_any(const std::string& queue, const Job& job, const std::string& flavors) const;
  bool covers_ever(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  // Those of the kinds needed that are limited.
  std::vector<ResourceKind> asked(const std::string& queue, const std::string& flavor,
                                  const ResourceVector& need) const;
  bool is_short(const std::string& queue, const std::string& flavor, ResourceKind kind, std::int64_t need) const;
  // The highest queue on the way up whose limit is in the way of so much; empty: none.
  std::string highest_short(const std::string& queue, const std::string& flavor, ResourceKind kind,
                            std::int64_t need) const;
  // Whether so much could not be had either if the queue used nothing and all others gave back what they borrow.
  bool is_short_by_right(const std::string& queue, const std::string& flavor, ResourceKind kind,
                         std::int64_t need) const;
  // Of any kind.
  bool borrows_any(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  bool borrows(const std::string& queue, const std::string& flavor, ResourceKind kind, std::int64_t need) const;

 private:
  std::optional<Quota> own(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  // Of one on the way up from the first, with that alone in use which others have by right.
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
