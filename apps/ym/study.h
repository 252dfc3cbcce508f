// Simulations of one workload under several policies.
#pragma once

#include <boost/json/array.hpp>
#include <optional>
#include <string>
#include <vector>

#include "candidates.h"
#include "sim/report/job_rows.h"
#include "sim/workload/workload.h"

namespace ym {

// What all simulations of a call have in common.
struct Study {
  const SimulateOptions& options;
  const OnSimulateProgress& on_progress;
  std::optional<sim::JobRows> rows{};  // of the first simulation alone
  std::string format{};                // of the workload, once one has been run
};

// Where they name a state directory, its history is read. Errors: `invalid`.
Result<SimulateOptions> with_history(SimulateOptions options);

// Errors: `invalid`, naming the file. Precondition: with_history.
Result<sim::Workload> workload_of(const SimulateOptions& options);

// A run for each seed; one alone is of the workload itself. Each is the figures of a report (sim/report/report_json.h).
Result<boost::json::array> runs_of(Study& study, const Candidate& candidate);

// Of the runs of a policy: their own, or what is to be expected over the seeds.
boost::json::object figures_of(const boost::json::array& runs);

}  // namespace ym
