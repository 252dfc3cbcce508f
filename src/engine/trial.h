// Trial: changes the state to try decisions, and restores it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "engine/state/impl.h"

namespace ym::engine {

// Changes the state at once; the destructor undoes all changes. The undo log is `state.trial`, where the invariants
// see it. Trials do not nest; roll_back undoes a part of one.
class Trial {
 public:
  explicit Trial(State::Impl& state);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Takes devices and quota for a job. Precondition: the devices are free on the nodes, and the quota is available.
  void take(Grant grant);
  // Claims quota for a job for later, without devices. Precondition: the quota is available, or will be when the jobs
  // that it inherits from are gone.
  void claim(Claim claim);
  // Revokes all claims for good. Earlier negative results stay valid if all claims belonged to reservations.
  void release_claims();
  // Invalidates earlier negative results, for another reason than a change of the state.
  void outdate() { epoch_ = ++last_epoch_; }

  // The job leaves. A live attempt: its quota and its healthy devices become free later. An admission of this trial:
  // what it took is free at once. Precondition: it has one of both, which has not departed yet.
  void depart(JobId job);
  // Undoes a departure. Precondition: the job departed in this trial.
  void stay(JobId job);
  // Revokes for good what the job took in this trial. Precondition: it took something.
  void release_grant(JobId job);
  // Nominates a placement for a waiting job. Precondition: later, all of it is free.
  void nominate(TrialNomination nomination);
  // Marks the end of the live attempt as overdue: the state stops to rely on it. Precondition: it leaves, and is not
  // overdue.
  void mark_overdue(JobId job);
  // Ends all nominations that are only expected, for good, and relies again on all ends that were marked overdue.
  void release_expected();
  // Ends the job's nomination. Precondition: the nomination comes from events, not from this trial.
  void end_nomination(JobId job);

  struct Mark {
    std::size_t size = 0;
    std::uint64_t epoch = 0;
  };
  Mark mark();
  // Precondition: nothing was released since the mark.
  void roll_back(Mark mark);

  // While this number stays the same, the state has only become fuller, both now and later. A job that found no place
  // or no quota will find none; reservations aside.
  std::uint64_t epoch() const { return epoch_; }
  // Grows with each change and each undo, except of claims: no job uses their quota yet.
  std::uint64_t changes() const { return changes_; }

 private:
  void push(Change change);
  void count(const Change& change) { changes_ += std::holds_alternative<Claim>(change) ? 0 : 1; }
  void undo_last();
  // Call this for a change that leaves the log.
  void forget(const Change& change);
  template <class Which>
  void release(Which which);
  void find_grants(std::size_t from);

  State::Impl& state_;
  std::unordered_map<JobId, std::size_t> grants_;  // position in the log
  std::unordered_set<JobId> withdrawn_, ended_nominations_;
  std::uint64_t epoch_ = 1, last_epoch_ = 1, changes_ = 0;
};

}  // namespace ym::engine
