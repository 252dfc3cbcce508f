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

}  // namespace ym::convert
