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

// What others have of quota that is nominal for whoever waits, and by how many jobs why they need not give it back.
struct LentOut {
  std::string queue;   // that of the job, or one above it, which is within it
  std::string to;      // who has it: "queue b", "queues b, c and 2 more"
  std::string fence;   // the queue of a fence in between
  std::string flavor;  // of what is lent
  Counted of;
  Amount lent;
  std::int64_t lent_to_jobs = 0;
  std::int64_t stopping = 0, reclaim_never = 0, fenced = 0, not_lower = 0, unpreemptible = 0;
  std::int64_t in_min_runtime = 0;
  std::optional<Instant> min_runtime_until{};  // of the first of them; nothing: it has not begun
  std::int64_t stopped_often = 0;
  std::optional<Instant> stopped_often_until{};
  std::int64_t stopped_since = 0, unreachable = 0;
  // These may be stopped, and are not: what stops already may be enough; they have too little; others are spared for a
  // time only; or that frees no nodes.
  std::int64_t stoppable = 0, too_little = 0, not_first = 0, no_nodes = 0;
  bool operator==(const LentOut&) const = default;
};

struct Reason {
  Details details;
  BoxedOptional<LentOut> lent{};  // nothing: nothing is said of that
  bool operator==(const Reason&) const = default;

  ReasonCode code() const;
};

// The reason of which no more than the code is stored.
Reason reason_of(ReasonCode code);

// A named number of a message: "needed" -> 16. Names are stable; they are the keys of `numbers` in the API. The views
// point to string literals.
struct Number {
  std::string_view name;
  std::int64_t value = 0;
  Unit unit = Unit::count;
  bool operator==(const Number&) const = default;
};
// All of a reason; times are in milliseconds since 1970.
std::vector<Number> numbers_of(const Reason& reason);
// "gpus", "nodes", "anchor"; empty: it is about the job itself.
std::string about(const Reason& reason);
// A field that is no number, as text: "flavor", "queue". Empty: it has none.
std::string text_in(const Reason& reason, std::string_view name);
// The job that goes first; 0: none does.
JobId blocker_of(const Reason& reason);
// In one line, with all its fields: equal reasons have equal texts.
std::string canonical_text(const Reason& reason);

// One sentence for a person, e.g. "queue c may use at most 12 t4 GPUs; the job needs 16".
std::string describe(const Reason& reason);

}  // namespace ym::engine
