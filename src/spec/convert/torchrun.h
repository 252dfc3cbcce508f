// Programs that are started by torchrun: the launcher of a job file does that, and sets where ranks meet.
#pragma once

#include "spec/convert/draft.h"

namespace ym::convert {

// If the part's words are torchrun's (also by `python -m torch.distributed.run`, or as the one plain command of a
// `sh -c`): they become those of its workers, and the launcher torchrun. What torchrun was told of nodes, ranks and
// meeting points is left out.
void take_torchrun(Part& part, Remarks& remarks);

// What torchrun is told by the environment is the launcher's to say. Precondition: the part's launcher is torchrun.
void drop_torchrun_variables(Part& part, Remarks& remarks);

// Whether it is among those.
bool is_torchrun_variable(std::string_view name);

// How many workers a node has, as manifests say it: "4", "auto", "gpu", "cpu". Nothing is set where it is what the
// launcher does anyway.
void set_workers(Part& part, std::string_view workers);

// The same of what the part says, whoever starts its program; remarks where it is not what it was. `in_script`:
// torchrun is started by a script of the part's. Precondition: the launcher is settled; `by_torchrun`, whether torchrun
// was it.
struct WhoStarts {
  bool by_torchrun = false, in_script = false;
};
void settle_workers(Part& part, WhoStarts who, Remarks& remarks);

// Of numProcPerNode: "4", not "auto".
bool is_number(std::string_view workers);

}  // namespace ym::convert
