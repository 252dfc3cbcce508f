// Plan: everything in a run that does not depend on its course. It is drawn from the seed.
#pragma once

#include <map>
#include <string>
#include <variant>
#include "base/random.h"
#include "control/command.h"
#include "control/site/configuration.h"
#include "fault_injection/canary.h"
#include "fault_injection/faults.h"

namespace ym::sim {

// Requests of clients. `job` is the number of an acknowledgement, modulo their count.
struct SubmitSome {
  JobSpec spec;
  bool again = false;  // the same request is sent again after its answer
};
struct ActOnJob {
  enum class Act : std::uint8_t { cancel, hold, release, retry };
  Act act = Act::cancel;
  std::size_t job = 0;
};
struct SwitchNode {
  std::string node;
  bool schedulable = false;
};
struct ChangeQueue {
  Queue queue;
};
using ClientAct = std::variant<SubmitSome, ActOnJob, SwitchNode, ChangeQueue>;

struct Plan {
  Instant begin;
  Instant heals_at;  // no fault begins after this
  DesiredState desired;
  PolicySettings settings;
  std::multimap<Instant, ClientAct> acts;
  std::multimap<Instant, FaultKind> faults;
  bool damages_state = false;  // servers also start on damaged copies of the state
};

// The machine n0 under another name (Canary::node_is_counted_twice).
inline constexpr std::string_view kSameMachine = "n0-again";

Plan draw_plan(Random& random, Canary canary);

}  // namespace ym::sim
