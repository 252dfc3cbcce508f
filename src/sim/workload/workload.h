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

struct WorkloadOptions {
  std::string path;
  std::string format;            // empty: recognised by its header
  std::size_t window = 200'000;  // jobs that are read ahead
};

class Workload {
 public:
  static Result<Workload> open(const WorkloadOptions& options);
  // Of jobs at hand, in any order. `format`: what they are called.
  static Workload of(std::vector<TraceJob> jobs, std::string format);
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

 private:
  struct Impl;
  explicit Workload(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// All of it, in memory. Errors: those of next().
Result<std::vector<TraceJob>> read_all(Workload workload);

}  // namespace ym::sim
