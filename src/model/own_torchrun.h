// A torchrun that the job's program starts, and not its launcher.
#pragma once

#include <optional>

#include "model/job_spec.h"

namespace ym {

// Where its ranks meet, as far as the program's words show it.
struct OwnTorchrun {
  bool names_port = false;        // --master_port 1234, --rdzv_endpoint host:1234
  bool takes_fixed_port = false;  // c10d without an endpoint: 29400
};

// Nothing: the program's words start no torchrun. A script may still start one.
std::optional<OwnTorchrun> own_torchrun(const Program& program);

}  // namespace ym
