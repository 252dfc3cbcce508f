// What becomes of launches that the state does not know, because it was set back (executor/lost_launch.h).
//
// Of a job that is known and has not ended, the last launch is made an attempt again, whether it lives or has ended: so
// its end counts, and the job does not run twice. What the state took for the job's live attempt had ended before that
// launch, or it would not have been made; how is not known, and no retry is counted for it. Where not all of the launch
// is known, or it cannot be an attempt of this state, the job is held until a person has looked. Launches of jobs that
// the state never had, or that are being cancelled, are left alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "control/state/staging.h"
#include "executor/executor.h"
#include "store/store.h"

namespace ym {

using LostLaunches = std::map<std::string, std::vector<LostLaunch>>;  // by cluster

// Judges by what the store has. Of what cannot be looked up nothing is taken off, so it counts as lost. The store must
// outlive it, and everything that it was given to.
IsLost lost_by(Store& store);

// Asks each for its own. Errors: those of Executor::lost_launches, with the cluster's name.
Result<LostLaunches> find_lost_launches(const std::map<std::string, Executor*>& executors);

// Takes out those whose tokens no server can have given out: a process, a folder or a pod may bear anything. `newest`:
// the newest epoch that this server knows, or the time. A sentence for each, for people.
std::vector<std::string> drop_made_up(LostLaunches& lost, std::uint64_t newest);

// The newest epoch among them; 0: there are none.
std::uint64_t newest_epoch(const LostLaunches& lost);

// What is said of them to people, a sentence each.
struct LostReport {
  std::vector<std::string> sentences;
  std::vector<ReleaseEffect> over;  // attempts whose ends are stored here and now; to be done once executors have begun
};

// Precondition: nodes and flavors are as they are from now on.
LostReport stage_lost_launches(Staging& staging, const LostLaunches& lost);

}  // namespace ym
