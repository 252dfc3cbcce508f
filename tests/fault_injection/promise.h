// The promises of Yardmaster under all faults, and their violations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ym::sim {

enum class Promise : std::uint8_t {
  acknowledged_is_kept,     // P1: an acknowledged submit is never lost
  one_job_for_a_key,        // P2: a repeated submit with the same key makes no second job
  starts_once,              // P3: user code of an attempt starts at most once
  old_is_gone_first,        // P4: an attempt starts only after the previous one is gone
  gang_is_whole,            // P5: user code starts in all tasks of a gang; the loss of one ends the others
  capacity_holds,           // P6: no device has two owners, and no quota is overdrawn
  restart_is_harmless,      // P7: a restart stops no job, and ends that happened meanwhile are reported correctly
  end_is_final,             // P8: a job ends once
  cancelled_is_gone,        // P9: after an acknowledged cancel nothing starts, and running tasks end in time
  nothing_waits_silently,   // P10: a waiting job has a reason; all that can end ends
  lost_state_is_refused,    // P11: a damaged or lost state is refused, never replaced by an empty one
  preempted_in_good_order,  // P13: a preempted job gets its grace and continues later; its place is kept for the other
  audit_is_whole,           // P14: the state equals the fold of its events
};

std::string_view name_of(Promise promise);  // "P1 an acknowledged submit is kept"

struct Violation {
  Promise promise;
  std::string what;
};

}  // namespace ym::sim
