// Launches that the stored state does not know. They were made after the time to which the state was set back: from a
// backup, or from a copy that took over. Their tokens have the same form as the tokens of the state. Executors find
// them on their machines. Yardmaster does not launch them again, remove them, or give their resources to other jobs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/job.h"

namespace ym {

// Whether a launch of this Yardmaster is unknown to the state: its job is unknown, its attempt is later than the last
// one of the job, or the attempt had another launch. With epoch 0 the token does not tell launches of one attempt
// apart: then only job and attempt number count. If the state cannot be read, the launch counts as lost, so that it is
// not removed. Threads: any. A call may look into the store, and take as long as a network.
using IsLost = std::function<bool(const Token&)>;

struct LostLaunch {
  Token token;
  // Placement of each task as launched. Without devices if the cluster chooses them. Empty: it is not completely known.
  std::vector<TaskPlacement> placement;
  bool lives = false;  // a task runs, or its state is unknown; false: all traces say how it ended
  // A launch record, a Slurm job or a pod of Yardmaster proves the launch. False: there is only evidence that a job can
  // make too: a folder, or a process with the token.
  bool by_record = true;
  std::string where;  // for people: "attempts/3f/0000002A/1", "Slurm job 4711"
};

}  // namespace ym
