// A torchrun that a job starts by itself, not by its launcher.
#pragma once

#include <optional>

#include "model/job_spec.h"

namespace ym {

// Where its ranks meet, as far as its words say it.
struct OwnTorchrun {
  bool names_port = false;        // --master_port 1234, --rdzv_endpoint host:1234
  bool takes_fixed_port = false;  // c10d without an endpoint: 29400
};

// Nothing: the program's words start none. A script may start one all the same.
std::optional<OwnTorchrun> own_torchrun(const Program& program);

}  // namespace ym
