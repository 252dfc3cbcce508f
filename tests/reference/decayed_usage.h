// Decayed usage of queues and users, from the definition.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "model/tables.h"
#include "reference/quota.h"

namespace ym::reference {

class NaiveDecayedUsage {
 public:
  NaiveDecayedUsage(const Tables& tables, std::int64_t kept);

  void admit(const Job& job, const std::string& flavor, const ResourceVector& amounts);

  // All quotas and all usage in the fine units of model/usage.h.
  const std::map<std::string, Queue>& queues() const { return queues_; }
  const Use& use() const { return use_; }
  ResourceVector entry(const ResourceVector& amounts) const { return part_of(fine(amounts), kWholePart - kept_); }

  // The largest part of any kind, of all machines, that the user has used in the queue, in 1e-12.
  std::int64_t share_of(const std::string& queue, const std::string& user) const;

 private:
  void add(const std::string& queue, const std::string& user, const std::string& flavor, const ResourceVector& used);

  const Tables& t_;
  std::int64_t kept_;
  std::map<std::string, Queue> queues_;
  Use use_;
  std::map<std::pair<std::string, std::string>, ResourceVector> of_users_;
  // Since the last sample, in the kinds' own units, by queue, user and flavor.
  std::map<std::tuple<std::string, std::string, std::string>, ResourceVector> entered_;
};

}  // namespace ym::reference
