// How often Slurm may be asked how things are: so many RPCs a minute in the long run, whatever the number of jobs; and
// now and then a few questions sooner, where the answer is waited for.
#pragma once

#include <algorithm>

#include "base/time.h"

namespace ym::slurm {

class RpcBudget {
 public:
  static constexpr std::int64_t kOfAQuestion = 2;  // squeue and scontrol ask for the partitions, too
  static constexpr std::int64_t kBurst = 6;        // questions

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
  Instant from_;  // what has passed since is to be spent
};

}  // namespace ym::slurm
