// Who keeps quota from a job, as the next cycle will find it if nothing else happens.
//
// The cycle itself found less: who came early did not see what those behind it would take. So
// its claims are given back, and who may not be passed keeps and claims anew, one after the
// other as they are explained. What is claimed counts against those behind, not against the
// job itself or those before it, and it is not in use.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "engine/cycle/cycle.h"

namespace ym::engine {

class QuotaKeepers {
 public:
  // Gives the claims of the cycle's trial back for good.
  explicit QuotaKeepers(Cycle& cycle);

  // The job is behind us: what it keeps counts from now on. Ranks come in order.
  void pass(Rank rank);
  // Changes when an answer of `first` may change.
  std::uint32_t version() const { return version_; }
  // The first who keeps quota from a job of the shape that comes now; kNone: nobody.
  Rank first(const Shape& shape, const Flavors& flavors) const;

 private:
  using Place = std::tuple<QueueIndex, FlavorIndex, ResourceKind>;  // queue, flavor, kind

  // Quota with what is claimed so far.
  const QuotaTree& tree() const { return claimed_by_.empty() ? cycle_.in.state.quota : with_claims_; }
  void claim(const Shape& shape, const Flavors& flavors, Rank by);
  Rank first_claim(const Shape& shape, FlavorIndex flavor, ResourceKind kind) const;

  Cycle& cycle_;
  std::uint32_t version_ = 0;
  KeptQuota kept_;
  QuotaTree with_claims_;             // a copy of the state's; none before the first claim
  std::map<Place, Rank> claimed_by_;  // where a claim counts: the first whose did
};

}  // namespace ym::engine
