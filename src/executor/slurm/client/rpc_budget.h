// How often Slurm may be polled: a fixed number of RPCs a minute in the long run, whatever the number of jobs, plus a
// short burst of earlier queries when an answer is needed soon.
#pragma once

#include <algorithm>

#include "base/time.h"

namespace ym::slurm {

class RpcBudget {
 public:
  static constexpr std::int64_t kOfAQuestion = 2;  // RPCs: squeue and scontrol ask for the partitions too
  static constexpr std::int64_t kBurst = 6;        // queries

  RpcBudget(std::int64_t rpcs_a_minute, Instant now)
      : each_{60'000 * kOfAQuestion / std::max<std::int64_t>(rpcs_a_minute, 1)},
        from_(now - Duration{each_.ms * kBurst}) {}

  bool take(Instant now) {
    from_ = std::max(from_, now - Duration{each_.ms * kBurst});
    if (now < from_ + each_) return false;
    from_ = from_ + each_;
    return true;
  }

 private:
  Duration each_;
  Instant from_;  // the budget since then is unspent
};

}  // namespace ym::slurm
