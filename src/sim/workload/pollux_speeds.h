// PolluxSpeeds: how long the jobs of Pollux' workloads train with their GPUs and batch (Qiao et al., OSDI 2021; the
// simulator of its artifact).
//
// A job trains for the iterations that were measured with its batch, up to the last epoch of its application. An
// iteration takes the step time for the samples of each replica. The step time is that of the job's placement on the
// fewest nodes with four GPUs (apps/<application>/placements.csv). If that placement was not measured, it is that of
// the same number of replicas on the same number of nodes (interp_grid.csv). Between two measured numbers of samples it
// is interpolated; beyond them there is none. A replica with more samples than its GPU can hold takes them in several
// steps, and gradients are combined after the last one. So does a single replica with more than the initial batch, as
// in the simulator.
//
// That simulator follows the progress that the noise of the gradients predicts, not the measured iterations: its jobs,
// alone and with the requests of the published workloads, run between 4 % shorter and 10 % longer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "sim/workload/row_view.h"

namespace ym::sim {

class PolluxSpeeds {
 public:
  // From apps/ and interp_grid.csv, plain or gzip, in the parent of the trace's folder. An application without a folder
  // is unknown. Errors: `invalid`, names the missing file, or file, line and column of the wrong value.
  static Result<PolluxSpeeds> beside(const std::string& trace);

  bool knows(std::string_view application) const { return applications_.contains(application); }
  // Iterations of the whole training; nothing if it was not measured with this batch.
  std::optional<double> iterations(std::string_view application, std::int64_t batch) const;
  // Time of one iteration in seconds; nothing if it was not measured. Preconditions: at least 1.
  std::optional<double> iteration_s(std::string_view application, std::int64_t gpus, std::int64_t batch) const;
  // The folder with the tables.
  const std::string& folder() const { return folder_; }

 private:
  struct Step {
    double step_s = 0, sync_s = 0;  // the second is part of the first
  };
  using Steps = std::map<double, Step>;  // by the number of samples of a replica
  struct Application {
    std::int64_t initial_batch = 0, most_local = 0;
    std::map<std::int64_t, double> iterations{};                         // by batch
    std::map<std::int64_t, Steps> by_placement{};                        // replicas on each node, one digit each
    std::map<std::pair<std::int64_t, std::int64_t>, Steps> by_counts{};  // nodes, replicas
  };

  struct StepColumns {
    std::string_view step_s, sync_s;
  };

  static void add_step(RowView& row, const StepColumns& columns, Steps& steps);
  Result<void> read_application(const std::string& trace, std::string_view name);
  Result<void> read_grid(const std::string& trace);
  static std::optional<Step> step(const Application& application, std::int64_t gpus, double samples);

  std::string folder_;
  std::map<std::string, Application, std::less<>> applications_;
};

}  // namespace ym::sim
