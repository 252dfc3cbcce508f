// Reason: why a job does not run now, with the numbers behind it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rare.h"
#include "model/ids.h"
#include "model/states.h"

namespace ym::engine {

// What has to change before it is worth looking at the job again.
enum class Wake : std::uint8_t { never, capacity, quota, time, configuration, user, order };

enum class Unit : std::uint8_t { count, thousandths, bytes };

// A named number of a message: "needed" -> 16. Names are stable; they are the keys
// of `numbers` in the API. The views point to string literals.
struct Number {
  std::string_view name;
  std::int64_t value = 0;
  Unit unit = Unit::count;
  bool operator==(const Number&) const = default;
};

// What others have of quota that is nominal for whoever waits. Why they need not give it back is in the numbers.
struct LentOut {
  std::string queue;             // that of the job, or one above it, which is within it
  std::string to;                // who has it: "queue b", "queues b, c and 2 more"
  std::string fence;             // the queue of a fence in between
  std::string resource, flavor;  // of which the number "lent" is an amount
  bool operator==(const LentOut&) const = default;
};

struct Reason {
  ReasonCode code = ReasonCode::pending_evaluation;
  // Where there is one: what it is about ("gpus"), the flavor, the queue whose limit it is,
  // the job that goes first.
  std::string resource, flavor, queue;
  // What the job asks of its nodes beside amounts, and what there is instead: "h100" and "t4".
  std::string wanted, offered;
  JobId blocker;
  Rare<LentOut> lent{};  // nothing: nothing is said of that
  std::vector<Number> numbers{};
  Wake wake = Wake::never;
  bool operator==(const Reason&) const = default;
};

// One sentence for a person, e.g. "queue c may use at most 12 t4 GPUs; the job needs 16".
std::string describe(const Reason& reason);

}  // namespace ym::engine
