// What a simulated job does.
#pragma once

#include <optional>

#include "base/time.h"
#include "model/job_spec.h"

namespace ym {

// `run: [sleep, SECONDS]` takes so long and succeeds; every other program ends at once and succeeds. The
// environment says otherwise: SIMULATED_RUN_TIME ("200ms"), SIMULATED_EXIT_CODE, and SIMULATED_STOP_TIME, for how
// long it goes on when it is asked to stop (left out: it ends at once). What is not understood is not there.
struct Behaviour {
  Duration run_time;
  std::int32_t exit_code = 0;
  Duration stop_time;
  bool operator==(const Behaviour&) const = default;
};

Behaviour behaviour_of(const JobSpec& spec);

}  // namespace ym
