// Recorder: follows commits, and reports each job that has ended. It keeps only live jobs in memory.
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

  // Call it first. `gpu_milli`: of all nodes.
  void begin(Instant at, std::int64_t gpu_milli);
  void follow(const Committed& committed, const Tables& tables);
  // Sets the trace's id of the job, and its run time. Precondition: the job was submitted and has not ended.
  void name(JobId job, const std::string& trace_id, Duration run_time);
  // The job waits, but does not count as waiting for idle GPUs: no node can run it. Precondition: as for name().
  void can_never_run(JobId job, Instant at);

  // Jobs that have not ended.
  const std::map<JobId, JobRecord>& live() const { return live_; }
  // GPU time that all jobs have held up to `now`.
  std::int64_t used_gpu_ms(Instant now) const { return used_.total(now) / kMilli; }
  // At the prices of the flavors, for all attempts, up to `now`.
  std::int64_t cost_micros(Instant now) const;
  // Scattered GPU time, and GPU time idle while jobs waited: up to `now`, or up to the end of the last job.
  struct Idle {
    std::int64_t scattered_gpu_ms = 0, while_waiting_gpu_ms = 0;
  };
  Idle idle(Instant now) const;
  const Idle& idle_at_last_end() const { return idle_at_last_end_; }
  std::int64_t running_gpu_milli() const { return used_.level; }
  // Levels up to `now`: "waiting" and "running" in jobs; the others in thousandths of GPUs: "gpus" held, "gpus QUEUE"
  // held by each queue, "scattered" ones (occupancy.h), and "idle while waiting": idle while jobs wait that can run.
  const Timeline& timeline(Instant now);

 private:
  void follow(const Event& event, const Tables& tables);
  // `jobs`: +1 or -1; `milli`: what that job holds.
  void change_running(Instant at, const std::string& queue, std::int64_t milli, int jobs);
  void change_waiting(Instant at, int jobs);
  void submitted(const Job& job, Instant at);
  void admitted(const Attempt& attempt, Instant at, const Tables& tables);
  void ended(AttemptKey attempt, Instant at);
  void finished(const JobFinished& finished, Instant at);

  OnEnd on_end_;
  std::map<JobId, JobRecord> live_;
  std::set<JobId> never_run_;  // waiting jobs that can never run
  struct Held {
    Instant since;
    std::optional<Instant> started;
    std::int64_t milli = 0, price_micros = 0;  // price of all of it, for an hour
    Occupancy::Holding holding;
  };
  static std::int64_t cost_of(const Held& held, Instant now);
  std::map<AttemptKey, Held> held_;
  // Thousandths times milliseconds. The level has not changed since `since`.
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
