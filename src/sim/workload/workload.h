// Workload: the jobs of a trace in the order of their submission, in bounded memory.
//
// Lines may come out of order by as many jobs as fit into a window; jobs of the same instant are in the order of their
// lines. Errors are `invalid` and say file, line and column: what is wrong in a row, an id that was there before, a job
// that comes later than the window allows; or which file is missing that a format wants beside the trace.
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

// What is to be said of a trace beside its jobs.
struct TraceRemarks {
  struct PassedOver {
    std::string why;  // "no job that began and ended"
    std::int64_t rows = 0, first_line = 0;
  };
  std::vector<PassedOver> passed_over;  // rows that are of no job; each reason once
  std::vector<std::string> columns;     // of its header, which nobody reads, with what may be meant
};

struct WorkloadOptions {
  std::string path;
  std::string format;            // empty: recognised by its header
  std::size_t window = 200'000;  // jobs that are read ahead
};

class Workload {
 public:
  static Result<Workload> open(const WorkloadOptions& options);
  // Of jobs at hand, in any order. `format`: what they are called. `remarks`: of the trace that they are from.
  static Workload of(std::vector<TraceJob> jobs, std::string format, TraceRemarks remarks = {});
  Workload(Workload&&) noexcept;
  Workload& operator=(Workload&&) noexcept;
  ~Workload();

  // Nothing at the end.
  Result<std::optional<TraceJob>> next();

  const std::string& format() const;
  // How much of it was given out, of 1; for people.
  double share() const;
  // Rows that are of no job, so far.
  std::int64_t passed_over() const;
  // So far, too.
  const TraceRemarks& remarks() const;

 private:
  struct Impl;
  explicit Workload(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// All of it, in memory. Errors: those of next().
Result<std::vector<TraceJob>> read_all(Workload workload);
// The same, where its remarks are wanted as well.
Result<std::vector<TraceJob>> rest_of(Workload& workload);

}  // namespace ym::sim
