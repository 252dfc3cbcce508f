// Changes the request of a waiting job for as long as the object lives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/state/impl.h"

namespace ym::engine {

// The parts of a request that can be varied.
struct Request {
  Shape shape;                  // its needs and rules are not read
  std::vector<NodeRule> rules;  // one for each group, or one for the job
  std::optional<Duration> time_limit;

  // Precondition: the job has not ended.
  static Request of(const State::Impl& state, JobId job);
};

class Variation {
 public:
  // Precondition: the job is queued, and has no nominated placement.
  Variation(State::Impl& state, JobId job, const Request& request);
  ~Variation();
  Variation(const Variation&) = delete;
  Variation& operator=(const Variation&) = delete;

 private:
  State::Impl& state_;
  const JobId job_;
  const ShapeIndex shape_;  // its original shape
  const std::optional<Duration> time_limit_;
};

}  // namespace ym::engine
