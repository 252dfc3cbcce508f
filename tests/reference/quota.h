// Naive quota: every number from its definition, from scratch, each time it is asked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "model/tables.h"

namespace ym::reference {

// Who uses how much: queue, flavor, kind.
using Use = std::map<std::tuple<std::string, std::string, ResourceKind>, std::int64_t>;

class NaiveQuota {
 public:
  NaiveQuota(const std::map<std::string, Queue>& queues, const Use& use) : queues_(queues), use_(use) {}

  // A leaf whose way up ends at a root, through queues that exist.
  bool can_hold_jobs(const std::string& queue) const;
  std::string root(const std::string& queue) const;
  // Nothing: any.
  std::optional<std::map<std::string, FlavorQuota>> quota_for(const std::string& queue) const;
  bool may_use(const std::string& queue, const std::string& flavor) const;
  bool limited(const std::string& queue, const std::string& flavor, ResourceKind kind) const;

  std::int64_t subtree(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t local(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t usage(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t available(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  std::int64_t potential(const std::string& queue, const std::string& flavor, ResourceKind kind) const;

  bool covers_now(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  bool covers_ever(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  // Whether it would be short even if the queue had no borrowing limit of its own.
  bool cohort_is_short(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;
  bool borrows(const std::string& queue, const std::string& flavor, const ResourceVector& need) const;

 private:
  bool sound(const std::string& queue) const;
  std::optional<Quota> own(const std::string& queue, const std::string& flavor, ResourceKind kind) const;
  template <class Sum>
  std::int64_t over_children(const std::string& queue, Sum sum) const;

  const std::map<std::string, Queue>& queues_;
  const Use& use_;
};

}  // namespace ym::reference
