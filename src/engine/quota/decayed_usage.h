// DecayedUsage: the past usage of queues and users, halved after each half-life (model/usage.h), for fair shares.
//
// It consists of the state's rows as of the last sample, the admissions since, and the admissions of a cycle. Each
// admission counts at once as if it had been used for a minute.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "engine/quota/quota_tree.h"
#include "engine/state/names.h"
#include "model/usage.h"

namespace ym::engine {

class DecayedUsage {
 public:
  // What is known of names and machines. All must outlive this object.
  struct Known {
    const UsageRows& rows;
    const QuotaTree& quota;
    const Names<QueueIndex>& queues;
    const Names<UserIndex>& users;
    const Names<FlavorIndex>& flavors;
    ResourceVector machines;  // all machines that users are compared by; in the kinds' own units
  };
  DecayedUsage(const Known& known, std::int64_t kept);

  // In fine units, as are all amounts here.
  const QuotaTree& quota() const { return quota_; }
  // What an admission of these amounts, in the kinds' own units, adds at once if it is the first since the sample.
  // Several admissions are rounded together.
  ResourceVector entry(const ResourceVector& amounts) const { return part_of(fine(amounts), kWholePart - kept_); }

  void admit(QueueIndex queue, UserIndex user, FlavorIndex flavor, const ResourceVector& amounts);
  void revoke(QueueIndex queue, UserIndex user, FlavorIndex flavor, const ResourceVector& amounts);

  // The dominant share of the user in the queue: the largest part of all machines, over the kinds, in millionths of a
  // millionth.
  std::int64_t share_of(QueueIndex queue, UserIndex user) const;

 private:
  using Key = std::tuple<QueueIndex, UserIndex, FlavorIndex>;  // queue, user and flavor

  // Adds what counts as admitted since the sample, in the kinds' own units.
  void enter(const Key& key, const ResourceVector& amounts);

  std::int64_t kept_;
  QuotaTree quota_;
  std::map<std::pair<QueueIndex, UserIndex>, ResourceVector> of_users_;  // by queue and user, all flavors together
  std::map<Key, ResourceVector> entered_;                                // since the sample, in the kinds' own units
  ResourceVector machines_;
};

}  // namespace ym::engine
