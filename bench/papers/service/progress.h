// How far a job of a published scheduler got: what was published, and what is meant (schedulers.h).
//
// Both have the same face, with a time of their own.
#pragma once

#include <algorithm>
#include <cmath>

#include "papers/service/job.h"

namespace ym::sim::service {

class PublishedProgress {
 public:
  using Time = double;  // s
  static constexpr Time kNoTime = 1e300;

  explicit PublishedProgress(const Job& job)
      : gpus_(static_cast<double>(job.gpus)),
        overhead_s_(std::floor(seconds_of(job.overhead_us))),
        iteration_s_(static_cast<double>(job.iteration_ms) * 1.015 / 1000),
        iterations_left_(static_cast<double>(job.iterations)) {}

  // Traces have whole milliseconds.
  static Time submitted(const Job& job) {
    const std::int64_t submit_ms = job.submit_us / 1000;
    return static_cast<double>(submit_ms) / 1000;
  }
  static Micros us(Time time_s) { return std::llround(time_s * static_cast<double>(kSecond)); }

  void start() {}
  void wait(Time now_s) { seen_s_ = now_s; }
  void run(Time now_s) {
    iterations_left_ -= std::max(now_s - seen_s_ - overhead_s_, 0.0) / iteration_s_;
    ran_s_ = ran_s_ + now_s - seen_s_;
    seen_s_ = now_s;
  }
  Time end() const { return seen_s_ + left(); }
  Time left() const { return iterations_left_ * iteration_s_; }
  Time service_left() const { return left() * gpus_; }
  bool received(Count limit_gpu_s) const { return ran_s_ * gpus_ >= static_cast<double>(limit_gpu_s); }
  // Rounded up to whole seconds of run time.
  Time receives(Count limit_gpu_s) const {
    return std::ceil(static_cast<double>(limit_gpu_s) / gpus_) - ran_s_ + seen_s_;
  }

 private:
  double gpus_, overhead_s_, iteration_s_, iterations_left_;
  double seen_s_ = 0, ran_s_ = 0;
};

class CleanProgress {
 public:
  using Time = Micros;
  static constexpr Time kNoTime = kNever;

  explicit CleanProgress(const Job& job) : gpus_(job.gpus), overhead_us_(job.overhead_us), left_us_(job.work_us) {}

  static Time submitted(const Job& job) { return job.submit_us; }
  static Micros us(Time time_us) { return time_us; }

  void start() { overhead_left_us_ = overhead_us_; }
  void wait(Time now_us) { seen_us_ = now_us; }
  void run(Time now_us) {
    const Micros passed_us = now_us - seen_us_;
    const Micros lost_us = std::min(passed_us, overhead_left_us_);
    overhead_left_us_ -= lost_us;
    left_us_ -= passed_us - lost_us;
    ran_us_ += passed_us;
    seen_us_ = now_us;
  }
  Time end() const { return seen_us_ + overhead_left_us_ + left_us_; }
  Time left() const { return left_us_; }
  Time service_left() const { return left_us_ * gpus_; }
  bool received(Count limit_gpu_s) const { return ran_us_ * gpus_ >= limit_gpu_s * kSecond; }
  // Rounded up to whole seconds of run time.
  Time receives(Count limit_gpu_s) const { return (limit_gpu_s + gpus_ - 1) / gpus_ * kSecond - ran_us_ + seen_us_; }

 private:
  Count gpus_;
  Micros overhead_us_, left_us_;
  Micros overhead_left_us_ = 0, seen_us_ = 0, ran_us_ = 0;
};

}  // namespace ym::sim::service
