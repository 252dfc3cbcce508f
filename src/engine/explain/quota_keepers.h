// QuotaKeepers: which jobs keep quota from a job, as the next cycle will find if nothing else happens.
//
// The cycle itself found less: jobs that it tried early did not see what jobs behind them would take. So the
// constructor releases the cycle's claims. Then the jobs that block backfill claim anew, one after the other, as they
// are explained. A claim counts against the jobs behind its job only, and it is not usage.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "engine/cycle/cycle.h"

namespace ym::engine {

class QuotaKeepers {
 public:
  // Releases the claims of the cycle's trial for good.
  explicit QuotaKeepers(Cycle& cycle);

  // The job is explained: what it keeps counts from now on. Call it in the order of ranks.
  void pass(Rank rank);
  // Changes when an answer of `first` may change.
  std::uint32_t version() const { return version_; }
  // The first job that keeps quota from a job of the shape that is explained next; kNone: no job.
  Rank first(const Shape& shape, const Flavors& flavors) const;

 private:
  using Place = std::tuple<QueueIndex, FlavorIndex, ResourceKind>;

  // Quota with the claims so far.
  const QuotaTree& tree() const { return claimed_by_.empty() ? cycle_.in.state.quota : with_claims_; }
  void claim(const Shape& shape, const Flavors& flavors, Rank by);
  Rank first_claim(const Shape& shape, FlavorIndex flavor, ResourceKind kind) const;

  Cycle& cycle_;
  std::uint32_t version_ = 0;
  KeptQuota kept_;
  QuotaTree with_claims_;             // a copy of the state's; empty before the first claim
  std::map<Place, Rank> claimed_by_;  // first job with a claim that counts there
};

}  // namespace ym::engine
