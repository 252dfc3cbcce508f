// PolluxSpeeds: how long the jobs of Pollux' workloads train with the GPUs and the batch that they ask for (Qiao et
// al., OSDI 2021; the simulator of its artifact).
//
// A job trains for the iterations that were measured with its batch until the last epoch of its application. An
// iteration takes, at the samples that each replica has then, the step time of its placement on nodes of four GPUs, as
// few as will do (apps/<application>/placements.csv), or of so many replicas on so many nodes where that placement was
// not measured (interp_grid.csv); between two measured numbers of samples it is interpolated, beyond them there is
// none. A replica with more samples than fit onto its GPU takes them in several steps, and gradients are put together
// after the last one; so does a single replica with more than the initial batch, as there.
//
// That simulator follows the progress that the noise of the gradients promises, not the iterations that were measured:
// alone, and with the requests of the published workloads, its jobs run between 4 % shorter and 10 % longer.
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
  // Of apps/ and interp_grid.csv, plain or gzip, in the folder above that of the trace. An application without a folder
  // is not known. `invalid` names the file that is missing, or file, line and column of what is wrong.
  static Result<PolluxSpeeds> beside(const std::string& trace);

  bool knows(std::string_view application) const { return applications_.contains(application); }
  // Of the whole training; nothing if it was not measured with this batch.
  std::optional<double> iterations(std::string_view application, std::int64_t batch) const;
  // Of one iteration, in seconds; nothing if it was not measured. Preconditions: at least 1.
  std::optional<double> iteration_s(std::string_view application, std::int64_t gpus, std::int64_t batch) const;
  // Of the tables.
  const std::string& folder() const { return folder_; }

 private:
  struct Step {
    double step_s = 0, sync_s = 0;  // the second is part of the first
  };
  using Steps = std::map<double, Step>;  // by the samples of a replica
  struct Application {
    std::int64_t initial_batch = 0, most_local = 0;
    std::map<std::int64_t, double> iterations{};                         // by batch
    std::map<std::int64_t, Steps> by_placement{};                        // replicas on each node, a digit each
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
