// Recorder: follows what is committed and tells what became of each job when it has ended; in memory for live jobs
// only.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "control/controller.h"
#include "sim/simulate/job_record.h"
#include "sim/simulate/occupancy.h"
#include "sim/simulate/timeline.h"

namespace ym::sim {

class Recorder {
 public:
  using OnEnd = std::function<void(const JobRecord&)>;
  explicit Recorder(OnEnd on_end) : on_end_(std::move(on_end)) {}

  // Before anything else. `gpu_milli`: of all nodes.
  void begin(Instant at, std::int64_t gpu_milli);
  void follow(const Committed& committed, const Tables& tables);
  // What the trace calls it, and how long it takes. Precondition: it was submitted and has not ended.
  void name(JobId job, const std::string& trace_id, Duration run_time);
  // It waits, and yet nothing is idle because of that: there is nothing that it could have. Precondition: as of name().
  void can_never_run(JobId job, Instant at);

  // Those that have not ended.
  const std::map<JobId, JobRecord>& live() const { return live_; }
  // GPU time that was held, of all jobs, up to `now`.
  std::int64_t used_gpu_ms(Instant now) const { return used_.total(now) / kMilli; }
  // At the prices of flavors, of all attempts, up to `now`.
  std::int64_t cost_micros(Instant now) const;
  // What was scattered, and idle while some waited, up to `now`; or when the last job ended.
  struct Idle {
    std::int64_t scattered_gpu_ms = 0, while_waiting_gpu_ms = 0;
  };
  Idle idle(Instant now) const;
  const Idle& idle_at_last_end() const { return idle_at_last_end_; }
  std::int64_t running_gpu_milli() const { return used_.level; }
  // Up to `now`, of "waiting" and "running" jobs, and in thousandths of GPUs: of "gpus" that are held, of "gpus QUEUE"
  // those of each, of "scattered" ones (occupancy.h), and of "idle while waiting", those that are idle while some wait
  // that can run.
  const Timeline& timeline(Instant now);

 private:
  void follow(const Event& event, const Tables& tables);
  // `jobs`: one more or one less, which holds so much.
  void change_running(Instant at, const std::string& queue, std::int64_t milli, int jobs);
  void change_waiting(Instant at, int jobs);
  void submitted(const Job& job, Instant at);
  void admitted(const Attempt& attempt, Instant at, const Tables& tables);
  void ended(AttemptKey attempt, Instant at);
  void finished(const JobFinished& finished, Instant at);

  OnEnd on_end_;
  std::map<JobId, JobRecord> live_;
  std::set<JobId> hopeless_;  // of those that wait
  struct Held {
    Instant since;
    std::optional<Instant> started;
    std::int64_t milli = 0, price_micros = 0;  // of all of it, for an hour
    Occupancy::Holding holding;
  };
  static std::int64_t cost_of(const Held& held, Instant now);
  std::map<AttemptKey, Held> held_;
  // Thousandths times milliseconds, of a level that is what it was since then.
  struct Integral {
    Instant since;
    std::int64_t level = 0, sum = 0;

    void set(Instant at, std::int64_t to) {
      sum = total(at);
      since = at;
      level = to;
    }
    std::int64_t total(Instant at) const { return sum + level * (at - since).ms; }
  };
  Integral used_, scattered_, idle_while_waiting_;
  Idle idle_at_last_end_;
  std::int64_t gpus_milli_ = 0, waiting_ = 0, cost_micros_ = 0;
  Occupancy occupancy_;
  Timeline timeline_;
};

}  // namespace ym::sim
