#include "engine/reserve/walltime.h"

#include <tuple>

namespace ym::engine {

bool may_stop(PreemptRule rule, const Claims& one, const Claims& other) {
  if (rule == PreemptRule::never || !may_stop_again(one.arrived_at, other.stopped_at)) return false;
  if (other.priority != one.priority) return other.priority < one.priority;
  return rule == PreemptRule::any && std::tuple(other.submitted_at, other.id) > std::tuple(one.submitted_at, one.id);
}

bool Walltime::outlasts(const Walltime& other, PreemptRule rule) const {
  if (until < other.until || pass != other.pass) return false;
  if (limit && other.limit && *limit < *other.limit) return false;
  if (rule == PreemptRule::never) return true;
  if (yields_by < other.yields_by || claims.priority < other.claims.priority) return false;
  if (claims.stopped_at < other.claims.stopped_at) return false;
  if (rule == PreemptRule::lower_priority || claims.priority > other.claims.priority) return true;
  return std::tuple(claims.submitted_at, claims.id) <= std::tuple(other.claims.submitted_at, other.claims.id);
}

}  // namespace ym::engine
