// Simulations of one workload under several policies.
#pragma once

#include <boost/json/array.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/report/job_rows.h"
#include "sim/workload/workload.h"
#include "study/candidates.h"

namespace ym::study {

// Shared by all simulations of a call.
struct Study {
  const SimulateOptions& options;
  const Listener& listener;
  std::optional<sim::JobRows> rows{};  // of the first simulation only
  std::string format{};                // of the workload; empty until a simulation has run
};

// Errors: `invalid` names the file. Precondition: if the options name a state, its history is in them (history.h).
Result<sim::Workload> workload_of(const SimulateOptions& options);

// One run for each seed. A single run uses the workload itself. Each item has the figures of a report
// (sim/report/report_json.h).
Result<boost::json::array> runs_of(Study& study, const Candidate& candidate);

// The figures of a policy: those of its single run, or means over the seeds.
boost::json::object figures_of(const boost::json::array& runs);

}  // namespace ym::study
