// What a simulated job does.
#pragma once

#include <optional>

#include "base/time.h"
#include "model/job_spec.h"

namespace ym {

// `run: [sleep, SECONDS]` takes that long and succeeds. Every other program ends at once and succeeds. Variables of the
// environment change that:
//   SIMULATED_RUN_TIME ("200ms")    duration of its work at full size; an elastic job with fewer nodes takes longer
//                                   in proportion
//   SIMULATED_EXIT_CODE
//   SIMULATED_START_TIME            time that each attempt needs before it continues its work
//   SIMULATED_STOP_TIME             time that it runs on after a stop request (default: it ends at once)
//   SIMULATED_CHECKPOINTS           "stop": it saves its work while it stops; "10m": also after each 10 min of work
// Invalid values are ignored.
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
