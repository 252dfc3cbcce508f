// What a simulated job does.
#pragma once

#include <optional>

#include "base/time.h"
#include "model/job_spec.h"

namespace ym {

// `run: [sleep, SECONDS]` takes so long and succeeds; every other program ends at once and succeeds. The
// environment says otherwise:
//   SIMULATED_RUN_TIME ("200ms")    its work: how long it takes at its full size, an elastic job with fewer nodes
//                                   in proportion longer
//   SIMULATED_EXIT_CODE
//   SIMULATED_START_TIME            that each attempt takes before it goes on with its work
//   SIMULATED_STOP_TIME             for how long it goes on when it is asked to stop (left out: it ends at once)
//   SIMULATED_CHECKPOINTS           "stop": it saves its work while it stops; "10m": and after so much work each
// What is not understood is not there.
struct Behaviour {
  Duration run_time;
  std::int32_t exit_code = 0;
  Duration start_time{};
  Duration stop_time{};
  bool saves_at_stop = false;
  Duration checkpoint_every{};  // 0: never
  bool operator==(const Behaviour&) const = default;
};

Behaviour behaviour_of(const JobSpec& spec);

}  // namespace ym
