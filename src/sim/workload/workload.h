// Workload: the jobs of a trace in the order of their submission, in bounded memory.
//
// Lines may be out of order, within a window of jobs. Jobs of the same instant are in the order of their lines. Errors:
// `invalid`, with file, line and column: a wrong value, a repeated id, or a job that is later than the window allows;
// or the name of a missing file that the format needs beside the trace.
//
// Threads: one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

// Remarks on a trace.
struct TraceRemarks {
  struct SkippedRows {
    std::string why;  // "no job that began and ended"
    std::int64_t rows = 0, first_line = 0;
  };
  std::vector<SkippedRows> skipped;  // rows that are not jobs; each reason once
  std::vector<std::string> columns;  // columns of the header that are not read, with guesses of what was meant
};

struct WorkloadOptions {
  std::string path;
  std::string format;            // empty: recognised by its header
  std::size_t window = 200'000;  // number of jobs to read ahead
};

class Workload {
 public:
  static Result<Workload> open(const WorkloadOptions& options);
  // A workload of these jobs, in any order. `format`: the name to show. `remarks`: those of their trace.
  static Workload of(std::vector<TraceJob> jobs, std::string format, TraceRemarks remarks = {});
  Workload(Workload&&) noexcept;
  Workload& operator=(Workload&&) noexcept;
  ~Workload();

  // Nothing at the end.
  Result<std::optional<TraceJob>> next();

  const std::string& format() const;
  // Part of it that was returned, from 0 to 1; for users.
  double share() const;
  // Number of rows so far that are not jobs.
  std::int64_t skipped() const;
  // The remarks so far.
  const TraceRemarks& remarks() const;

 private:
  struct Impl;
  explicit Workload(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// All jobs, in memory. Errors: those of next().
Result<std::vector<TraceJob>> read_all(Workload workload);
// The same, for callers that need the remarks, too.
Result<std::vector<TraceJob>> rest_of(Workload& workload);

}  // namespace ym::sim
