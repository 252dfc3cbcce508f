// What queues and users have used lately, from the definition.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "model/tables.h"
#include "reference/quota.h"

namespace ym::reference {

class NaiveLately {
 public:
  NaiveLately(const Tables& tables, std::int64_t kept);

  void admit(const Job& job, const std::string& flavor, const ResourceVector& amounts);

  // All quotas and all use in the fine units of model/usage.h.
  const std::map<std::string, Queue>& queues() const { return queues_; }
  const Use& use() const { return use_; }
  ResourceVector entry(const ResourceVector& amounts) const { return part_of(fine(amounts), kWholePart - kept_); }

  // Of all machines the user's largest part of a kind, in the queue; in millionths of a millionth.
  std::int64_t share_of(const std::string& queue, const std::string& user) const;

 private:
  void add(const std::string& queue, const std::string& user, const std::string& flavor, const ResourceVector& used);

  const Tables& t_;
  std::int64_t kept_;
  std::map<std::string, Queue> queues_;
  Use use_;
  std::map<std::pair<std::string, std::string>, ResourceVector> of_users_;
  // Since the sample, in the kinds' own units; by queue, user and flavor.
  std::map<std::tuple<std::string, std::string, std::string>, ResourceVector> entered_;
};

}  // namespace ym::reference
