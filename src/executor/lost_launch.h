// Launches that the stored state does not know: it was set back after they were made (a backup was put back, a copy
// was taken over). They bear the state's own names and are found where they run, so nothing of them is launched again,
// taken off or given away.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/job.h"

namespace ym {

// Whether a launch of ours is none that the state knows: of a job that it never had, a later attempt than the job has
// made, or another launch of an attempt that it has. Where the epoch is 0, nothing tells which launch of the attempt it
// is: then the job and the number decide. What cannot be looked up counts as lost, too, so that nothing of it is taken
// off. From any thread; each call may look into the store, and take as long as a network does.
using IsLost = std::function<bool(const Token&)>;

struct LostLaunch {
  Token token;
  // By task, as it was launched. Devices are left out where the cluster chooses them. Empty: not all of it is known.
  std::vector<TaskPlacement> placement;
  bool lives = false;  // some of it does, or it could not be looked at; else all that is there says how it ended
  // A launch record, a Slurm job or a pod of ours says so, and not only what a job can leave as well: a folder, a
  // process that bears the token.
  bool by_record = true;
  std::string where;  // for people: "attempts/3f/0000002A/1", "Slurm job 4711"
};

}  // namespace ym
