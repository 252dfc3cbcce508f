// Trial: decisions tried on the state itself, and taken back again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/state/impl.h"

namespace ym::engine {

// Changes the state at once; puts everything back when it goes. The log of what to undo is
// `state.trial`, where the invariants can see it. Trials do not nest; a part of one is taken
// back by roll_back.
class Trial {
 public:
  explicit Trial(State::Impl& state);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Devices and quota for a job. Precondition: the nodes have the devices free, and the quota
  // is there.
  void take(Grant grant);
  // Quota for a job, but no devices. Precondition: the quota is there.
  void claim(Claim claim);
  // Gives all claims back for good.
  void release_claims();
  // What the job's live attempt holds is free from now on, of quota and of devices (as far as
  // they are healthy). Precondition: it has one, which is not evicted yet.
  void evict(JobId job);

  struct Mark {
    std::size_t size = 0;
    std::uint64_t epoch = 0;
  };
  Mark mark();
  // Precondition: no claims were released since.
  void roll_back(Mark mark);

  // While this stays the same, the state has only become fuller: who found no place, or no
  // quota, will find none.
  std::uint64_t epoch() const { return epoch_; }

 private:
  void undo_last();

  State::Impl& state_;
  std::uint64_t epoch_ = 1, last_epoch_ = 1;
};

}  // namespace ym::engine
