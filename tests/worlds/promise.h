// What Yardmaster promises whatever goes wrong, and what is said where a world shows that it does not hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ym::sim {

enum class Promise : std::uint8_t {
  acknowledged_is_kept,     // P1: an acknowledged submit is never lost
  one_job_for_a_key,        // P2: a submit that is sent again under its key makes no second job
  starts_once,              // P3: user code of an attempt starts at most once
  old_is_gone_first,        // P4: an attempt starts only when the one before is gone
  gang_is_whole,            // P5: user code starts in all tasks of a gang; the loss of one ends the others
  capacity_holds,           // P6: no device has two owners, and no quota is overdrawn
  restart_is_harmless,      // P7: a restart stops nobody, and what ended meanwhile is told as it was
  end_is_final,             // P8: a job ends once
  cancelled_is_gone,        // P9: after an acknowledged cancel nothing starts, and what ran is gone in time
  nothing_waits_silently,   // P10: whoever waits is told why; all that can end ends
  lost_state_is_refused,    // P11: a state that is damaged or gone is refused, never begun anew
  preempted_in_good_order,  // P13: whoever is preempted has his grace and goes on later; the room is kept
  audit_is_whole,           // P14: the state is what its events say
};

std::string_view name_of(Promise promise);  // "P1 an acknowledged submit is kept"

struct Violation {
  Promise promise;
  std::string what;
};

}  // namespace ym::sim
