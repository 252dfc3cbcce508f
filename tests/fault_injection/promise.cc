#include "fault_injection/promise.h"

namespace ym::sim {

std::string_view name_of(Promise promise) {
  switch (promise) {
    case Promise::acknowledged_is_kept: return "P1 an acknowledged submit is kept";
    case Promise::one_job_for_a_key: return "P2 one job for a key";
    case Promise::starts_once: return "P3 user code of an attempt starts once";
    case Promise::old_is_gone_first: return "P4 the old attempt is gone first";
    case Promise::gang_is_whole: return "P5 a gang is whole";
    case Promise::capacity_holds: return "P6 capacity and quota hold";
    case Promise::restart_is_harmless: return "P7 a restart is harmless";
    case Promise::end_is_final: return "P8 an end is final";
    case Promise::cancelled_is_gone: return "P9 a cancelled job is gone";
    case Promise::nothing_waits_silently: return "P10 nothing waits silently";
    case Promise::lost_state_is_refused: return "P11 a lost state is refused";
    case Promise::preempted_in_good_order: return "P13 preemption in good order";
    case Promise::audit_is_whole: return "P14 the audit is whole";
  }
  return {};
}

}  // namespace ym::sim
