// The executor `simulated`: attempts without processes.
//
// The job describes what its attempts do (behaviour.h). Time is real: a job of an hour takes one. A thread reports what
// has happened. Nothing outlives the executor: a later one knows no tokens of this one, and nothing runs under them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "executor/executor.h"

namespace ym {

struct SimulatedOptions {
  std::vector<Node> nodes;
  // Most launches and stops per second, as a service with a rate limit has. Empty: no limit. After a pause, 100 may
  // come at once.
  std::optional<std::int64_t> calls_per_second{};
};

class SimulatedCluster : public Executor {
 public:
  // The configuration was read again: these are its nodes now, in addition to nodes that the cluster makes.
  virtual void set_nodes(std::vector<Node> nodes) = 0;
};

// Precondition: the clock outlives the executor. The clock decides when events happen.
std::unique_ptr<SimulatedCluster> make_simulated_executor(SimulatedOptions options, const Clock& clock);

}  // namespace ym
