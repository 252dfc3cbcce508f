// Reason: why a job does not run now, with the numbers behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/boxed_optional.h"
#include "engine/reason_details.h"

namespace ym::engine {

// Nominal quota of the waiting job's queue or cohort that other queues have borrowed. The counts say by number of jobs
// why these need not give it back.
struct LentOut {
  std::string queue;   // queue of the waiting job, or a cohort above it: the lent quota is nominal there
  std::string to;      // queues that have borrowed: "queue b", "queues b, c and 2 more"
  std::string fence;   // fenced queue in between
  std::string flavor;  // of the lent quota
  Counted of;
  Amount lent;
  std::int64_t lent_to_jobs = 0;
  std::int64_t stopping = 0, reclaim_never = 0, fenced = 0, not_lower = 0, unpreemptible = 0;
  std::int64_t in_min_runtime = 0;
  std::optional<Instant> min_runtime_until{};  // end of the first of these protections; nothing: it has not begun
  std::int64_t stopped_often = 0;
  std::optional<Instant> stopped_often_until{};
  std::int64_t stopped_since = 0, unreachable = 0;
  // Jobs that may be stopped, and are not. `stoppable`: jobs that already stop may be enough. `too_little`: the jobs
  // have too little. `not_first`: other jobs are only protected for a time. `no_nodes`: their stop frees no nodes.
  std::int64_t stoppable = 0, too_little = 0, not_first = 0, no_nodes = 0;
  bool operator==(const LentOut&) const = default;
};

struct Reason {
  Details details;
  BoxedOptional<LentOut> lent{};  // nothing: the reason does not speak of lent quota
  bool operator==(const Reason&) const = default;

  ReasonCode code() const;
};

// A reason known only by its stored code.
Reason reason_of(ReasonCode code);

// A named number of a message: "needed" -> 16. Names are stable; they are the keys of `numbers` in the API. The views
// point to string literals.
struct Number {
  std::string_view name;
  std::int64_t value = 0;
  Unit unit = Unit::count;
  bool operator==(const Number&) const = default;
};
// All numbers of a reason; times are in milliseconds since 1970.
std::vector<Number> numbers_of(const Reason& reason);
// "gpus", "nodes", "anchor"; empty: the reason is about the job itself.
std::string about(const Reason& reason);
// A field that is not a number, as text: "flavor", "queue". Empty: the reason has no such field.
std::string text_in(const Reason& reason, std::string_view name);
// The job that goes first; 0: none.
JobId blocker_of(const Reason& reason);
// All fields in one line: equal reasons have equal texts.
std::string canonical_text(const Reason& reason);

// One sentence for a person, e.g. "queue c may use at most 12 t4 GPUs; the job needs 16". `blocker`: the name of the
// job that goes first; empty: not known.
std::string describe(const Reason& reason, std::string_view blocker = {});

}  // namespace ym::engine
