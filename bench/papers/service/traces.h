// The traces of Zhao et al., "Multi-Resource Interleaving for Deep Learning Training" (Muri), SIGCOMM 2022, and what
// they published of their runs: four virtual clusters of Philly, each job with a model that was measured.
//
// Files are plain or gzip ("trace1.csv", "trace1.csv.gz").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "papers/service/job.h"

namespace ym::sim::service {

// What a start costs, by GPUs and model; what is not there costs kOtherOverhead.
using Overheads = std::map<std::pair<Count, std::string>, Micros>;
inline constexpr Micros kOtherOverhead = 10 * kSecond;

struct PublishedFigures {
  double mean_completion_s = 0;  // from submission
  double makespan_s = 0;         // last completion, from the beginning of the trace
  double p99_completion_s = 0;
};

// By policy ("SRTF") and trace ("trace1_pr").
using PublishedTable = std::map<std::pair<std::string, std::string>, PublishedFigures>;

// `invalid` with file and line where a row is wrong.
Result<Overheads> read_overheads(const std::string& path);
// By submission, then id. `most_gpus`: a job that wants more is an error.
Result<std::vector<Job>> read_jobs(const std::string& path, const Overheads& overheads, Count most_gpus);
Result<PublishedTable> read_published(const std::string& path);

// The file of a table in a folder, gzip or not; nothing if there is none.
std::optional<std::string> table_path(const std::string& folder, const std::string& name);

}  // namespace ym::sim::service
