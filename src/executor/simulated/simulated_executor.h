// The executor `simulated`: attempts that no process runs.
//
// What an attempt would do is said by its job (behaviour.h), and time passes as it does: a job of an hour takes one.
// A thread of its own reports what has happened. Nothing outlives it: an executor that is made later knows none of the
// tokens that this one has run, and nothing lives under them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "executor/executor.h"

namespace ym {

struct SimulatedOptions {
  std::vector<Node> nodes;
  // So many launches and stops a second at most, as a service has them that limits its clients; nothing: no limit.
  // A hundred may come at once after a pause.
  std::optional<std::int64_t> calls_per_second{};
};

class SimulatedCluster : public Executor {
 public:
  // The configuration was read again: these are its nodes now, beside those that it makes.
  virtual void set_nodes(std::vector<Node> nodes) = 0;
};

// Precondition: the clock outlives the executor. It says when things have happened.
std::unique_ptr<SimulatedCluster> make_simulated_executor(SimulatedOptions options, const Clock& clock);

}  // namespace ym
