// Programs under torchrun. The launcher of a job file starts torchrun, and sets where ranks meet.
#pragma once

#include "spec/convert/draft.h"

namespace ym::convert {

// If the part's words start torchrun (also by `python -m torch.distributed.run`, or as the one plain command of a `sh
// -c`): makes them the words of its workers, and sets the launcher torchrun. Leaves out torchrun's options for nodes,
// ranks and meeting points.
void take_torchrun(Part& part, Remarks& remarks);

// Leaves out torchrun's variables, because the launcher sets them. Precondition: the part's launcher is torchrun.
void drop_torchrun_variables(Part& part, Remarks& remarks);

// Whether it is one of these variables.
bool is_torchrun_variable(std::string_view name);

// Sets the number of workers on a node, in the form of manifests: "4", "auto", "gpu", "cpu". Sets nothing if the
// launcher does the same by default.
void set_workers(Part& part, std::string_view workers);

// Settles the part's number of workers, whatever starts its program. Adds a remark if the number of processes
// changes. `by_torchrun`: torchrun started the program there. `in_script`: a script of the part starts torchrun.
// Precondition: the launcher is settled.
struct StartedBy {
  bool by_torchrun = false, in_script = false;
};
void settle_workers(Part& part, StartedBy started, Remarks& remarks);

// For numProcPerNode: "4", not "auto".
bool is_number(std::string_view workers);

}  // namespace ym::convert
