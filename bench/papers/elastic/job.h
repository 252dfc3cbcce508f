// A training job of the simulation: what was asked for and how far it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "papers/elastic/application.h"

namespace ym::sim::elastic {

struct JobRequest {
  std::string name;
  std::size_t application = 0;  // in the catalog
  std::int32_t submit_s = 0;
  Count gpus = 0;   // tuned by hand; what rigid policies give
  Count batch = 0;  // tuned by hand, within the limits of the application
};

enum class BatchMode {
  fixed,    // that of the request, always
  goodput,  // the best of each epoch for the layout
};

struct Job {
  JobRequest request;
  Allocation allocation{};
  Layout layout{};
  Batch batch{};
  std::int32_t pause_left_s = 0;  // holds GPUs and makes no progress as long
  std::size_t epoch = 0;          // the present one
  double progress = 0;
  double ran_here_s = 0;  // without pauses, since the allocation changed last
  Count starts = 0;       // allocations that it got
  Count largest_run = 0;  // most GPUs on which it made progress
  std::optional<std::int32_t> end_s{};
};

// Sets the batch for the present layout and epoch. Precondition: it holds GPUs and has not ended.
void choose_batch(Job& job, const Application& application, BatchMode mode);

// So many seconds from now_s on. Ends and ends of epochs fall on whole seconds, the nearest ones, half to even.
// `internal` where the job lies as it was never measured.
Result<void> advance(Job& job, const Application& application, BatchMode mode, std::int32_t now_s,
                     std::int32_t seconds);

}  // namespace ym::sim::elastic
