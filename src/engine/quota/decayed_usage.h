// DecayedUsage: what queues and users have used on the average of the last days (model/usage.h), as shares see it.
//
// The state's rows as of the last sample, what was admitted since, and what a cycle admits now: each
// admission counts at once as if it had been used for a minute already.
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
  // As names and as what there is; all must outlive this.
  struct Known {
    const UsageRows& rows;
    const QuotaTree& quota;
    const Names<QueueIndex>& queues;
    const Names<UserIndex>& users;
    const Names<FlavorIndex>& flavors;
    ResourceVector machines;  // all that there is, as far as users are compared; in the kinds' own units
  };
  DecayedUsage(const Known& known, std::int64_t kept);

  // In fine units, as are all amounts here.
  const QuotaTree& quota() const { return quota_; }
  // What an admission of so much, in the kinds' own units, adds at once, if it is the first since the sample: what
  // several add is rounded together.
  ResourceVector entry(const ResourceVector& amounts) const { return part_of(fine(amounts), kWholePart - kept_); }

  void admit(QueueIndex queue, UserIndex user, FlavorIndex flavor, const ResourceVector& amounts);
  void revoke(QueueIndex queue, UserIndex user, FlavorIndex flavor, const ResourceVector& amounts);

  // Of what the user has used in the queue, the kind that is the largest part of all machines: how large
  // that part is, in millionths of a millionth.
  std::int64_t share_of(QueueIndex queue, UserIndex user) const;

 private:
  using Who = std::tuple<QueueIndex, UserIndex, FlavorIndex>;  // queue, user and flavor

  // So much counts now as admitted since the sample, in the kinds' own units.
  void enter(const Who& who, const ResourceVector& amounts);

  std::int64_t kept_;
  QuotaTree quota_;
  std::map<std::pair<QueueIndex, UserIndex>, ResourceVector> of_users_;  // by queue and user, all flavors together
  std::map<Who, ResourceVector> entered_;                                // since the sample, in the kinds' own units
  ResourceVector machines_;
};

}  // namespace ym::engine
