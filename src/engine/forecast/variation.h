// A waiting job that asks for something else, for as long as this lives.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/state/impl.h"

namespace ym::engine {

// What of a job can be tried otherwise.
struct Request {
  Shape shape;                  // needs and rules of it are not read
  std::vector<NodeRule> rules;  // of each of its groups, or of all
  std::optional<Duration> time_limit;

  // Precondition: the job has not ended.
  static Request of(const State::Impl& state, JobId job);
};

class Variation {
 public:
  // Precondition: the job waits, and no place is kept for it.
  Variation(State::Impl& state, JobId job, const Request& request);
  ~Variation();
  Variation(const Variation&) = delete;
  Variation& operator=(const Variation&) = delete;

 private:
  State::Impl& state_;
  const JobId job_;
  const ShapeIndex shape_;  // its own
  const std::optional<Duration> time_limit_;
};

}  // namespace ym::engine
