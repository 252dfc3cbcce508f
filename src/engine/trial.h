// Trial: decisions tried on the state itself, and taken back again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

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
  // Quota for a job, later, but no devices. Precondition: the quota is there, or will be once those are gone from which
  // it inherits.
  void claim(Claim claim);
  // Gives all claims back for good. What others found holds on if all were reserved ones.
  void release_claims();
  // What was found does not hold any more, for another reason than a change of the state.
  void outdate() { epoch_ = ++last_epoch_; }

  // The job's live attempt leaves: soon, what it holds of quota and of devices (as far as they
  // are healthy) is free. Or, what it took in this trial is free at once. Precondition: it has
  // one of both, which has not departed yet.
  void depart(JobId job);
  // It stays after all. Precondition: it departed in this trial.
  void stay(JobId job);
  // Gives back for good what the job took in this trial. Precondition: it took something.
  void release_grant(JobId job);
  // Keeps a place for a job that waits. Precondition: later, all of it is free.
  void keep(Keeping keeping);
  // The live attempt leaves and is not counted on. Precondition: it leaves, and is still counted on.
  void doubt(JobId job);
  // Gives all places that are only expected back for good; who leaves is counted on again.
  void release_expected();
  // Nothing is kept for the job any more. Precondition: events made it have a place.
  void lift(JobId job);

  struct Mark {
    std::size_t size = 0;
    std::uint64_t epoch = 0;
  };
  Mark mark();
  // Precondition: nothing was released since.
  void roll_back(Mark mark);

  // While this stays the same, the state has only become fuller, both now and later: who found
  // no place, or no quota, will find none; reservations aside.
  std::uint64_t epoch() const { return epoch_; }
  // Grows with whatever is changed or put back; claims aside, which nobody uses yet.
  std::uint64_t changes() const { return changes_; }

 private:
  void push(Change change);
  void count(const Change& change) { changes_ += std::holds_alternative<Claim>(change) ? 0 : 1; }
  void undo_last();
  // The change is not in the log any more, or another follows.
  void forget(const Change& change);
  template <class Which>
  void release(Which which);
  void find_grants(std::size_t from);

  State::Impl& state_;
  std::unordered_map<JobId, std::size_t> grants_;  // where in the log
  std::unordered_set<JobId> withdrawn_, lifted_;
  std::uint64_t epoch_ = 1, last_epoch_ = 1, changes_ = 0;
};

}  // namespace ym::engine
