// Handles launches that the state does not know because it was set back (executor/lost_launch.h).
//
// If the job is known and has not ended, its last launch is adopted as an attempt, whether it lives or has ended. So
// its end counts, and the job does not run twice. The job's live attempt in the state had ended before that launch, or
// the launch would not exist. How it ended is not known, and its retry counts against no limit. If the launch is not
// fully known, or cannot be an attempt of this state, the job is held until a user has looked. Launches of jobs that
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

// Decides by the store's content. A launch that cannot be looked up counts as lost, so it is not removed. The store
// must outlive the result and all its copies.
IsLost lost_by(Store& store);

// Asks each executor for its lost launches. Errors: those of Executor::lost_launches, with the cluster's name.
Result<LostLaunches> find_lost_launches(const std::map<std::string, Executor*>& executors);

// Removes launches with tokens that no server can have issued: a process, a folder or a pod may carry any token.
// `newest`: the newest epoch that this server knows, or the time. Returns a sentence for the log about each.
std::vector<std::string> drop_invalid_tokens(LostLaunches& lost, std::uint64_t newest);

// The newest epoch of the launches; 0: there are none.
std::uint64_t newest_epoch(const LostLaunches& lost);

// Sentences for the log about the launches, and the attempts that have ended.
struct LostReport {
  std::vector<std::string> sentences;
  // Attempts that stage_lost_launches ended. Release them when the executors have started.
  std::vector<ReleaseEffect> over;
};

// Precondition: the tables already have the new nodes and flavors.
LostReport stage_lost_launches(Staging& staging, const LostLaunches& lost);

}  // namespace ym
