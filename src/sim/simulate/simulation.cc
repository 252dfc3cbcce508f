#include "sim/simulate/simulation.h"

#include <algorithm>
#include <utility>

#include "sim/simulate/recorder.h"

namespace ym::sim {
namespace {

constexpr std::int64_t kStepsBetweenReports = 256;
constexpr std::int64_t kMostNamed = 5;

// A trace does not know the site's queues. No job of it should be refused because there is no queue for it.
void add_home(std::vector<Queue>& queues) {
  const bool is_there = std::ranges::find(queues, kDefaultQueue, &Queue::name) != queues.end();
  if (!queues.empty() && !is_there) queues.push_back({.name = std::string(kDefaultQueue)});
}

class Run {
 public:
  Run(Workload& workload, SimulationOptions options, std::function<void(const JobRecord&)> on_end,
      std::function<void(const SimulationProgress&)> on_progress)
      : workload_(workload),
        options_(std::move(options)),
        on_progress_(std::move(on_progress)),
        recorder_([this, on_end = std::move(on_end)](const JobRecord& record) {
          progress_.ended += 1;
          end_.end = record.ended_at;
          on_end(record);
        }),
        forecasts_(options_.forecasts_every) {}

  Result<SimulationEnd> run() {
    if (auto read = read_next(); !read) return std::unexpected(read.error());
    options_.site.begin = arrival_->submit_at;
    end_.begin = end_.end = options_.site.begin;
    for (const auto& node : options_.site.desired.nodes) end_.gpu_milli += gpu_milli_of(node);
    recorder_.begin(end_.begin, end_.gpu_milli);
    add_home(options_.site.desired.queues);
    auto site = Site::open(std::move(options_.site), [this](const Committed& committed, const Tables& tables) {
      end_.events += static_cast<std::int64_t>(committed.events->size());
      recorder_.follow(committed, tables);
      for (const auto& event : *committed.events) forecasts_.follow(event);
    });
    if (!site) return std::unexpected(site.error());
    site_ = std::move(*site);
    site_->settle();
    for (;;) {
      const auto more = step();
      if (!more) return std::unexpected(more.error());
      if (!*more) return finish();
    }
  }

 private:
  Result<void> read_next() {
    auto job = workload_.next();
    if (!job) return std::unexpected(job.error());
    arrival_ = std::move(*job);
    if (arrival_ && options_.until && arrival_->submit_at > *options_.until) arrival_.reset();
    progress_.at_end = !arrival_;
    return {};
  }

  // False: the simulation is over.
  Result<bool> step() {
    const auto at = next_instant();
    if (!at) return false;
    site_->advance_to(*at);
    while (arrival_ && arrival_->submit_at <= *at) {
      if (auto submitted = submit(*arrival_); !submitted) return std::unexpected(submitted.error());
      if (auto read = read_next(); !read) return std::unexpected(read.error());
    }
    site_->settle();
    foresee();
    report();
    return true;
  }

  std::optional<Instant> next_instant() const {
    if (!arrival_ && recorder_.live().empty()) return std::nullopt;
    const auto by_itself = site_->next();
    const auto at = arrival_ && by_itself ? std::min(arrival_->submit_at, *by_itself)
                    : arrival_            ? std::optional(arrival_->submit_at)
                                          : by_itself;
    if (!at || (options_.until && *at > *options_.until)) return std::nullopt;
    const bool waits_for_nothing =
        !arrival_ && recorder_.running_gpu_milli() == 0 && *at - last_change_ > options_.idle_timeout;
    return waits_for_nothing ? std::nullopt : std::optional(std::max(*at, site_->now()));
  }

  Result<void> submit(const TraceJob& job) {
    auto spec = job_of_trace(job, options_.jobs);
    if (!spec) return std::unexpected(spec.error());
    const Caller caller{.principal = job.user.empty() ? "user" : job.user};
    SubmitJobs command{.specs = {std::move(*spec)}, .idempotency_key = {}, .request_hash = {}};
    site_->execute(caller, std::move(command), [this, job](Result<CommandReply> reply) {
      if (reply) {
        note_never(*reply, job);
        return name(reply->jobs.front(), job);
      }
      if (end_.refused++ == 0) end_.first_refusal = "line " + std::to_string(job.line) + ": " + reply.error().message;
    });
    end_.submitted += 1;
    return {};
  }

  // A submit warns only that the job can never run. After a colon it says why.
  void note_never(const CommandReply& reply, const TraceJob& job) {
    if (reply.warnings.empty() || reply.warnings.front().empty()) return;
    recorder_.can_never_run(reply.jobs.front()->id, site_->now());
    if (end_.can_never_run++ >= kMostNamed) return;
    const std::string& warning = reply.warnings.front().front();
    const auto colon = warning.find(": ");
    end_.never.push_back({job.line, job.id, colon == warning.npos ? warning : warning.substr(colon + 2)});
  }

  void name(const Job& made, const TraceJob& job) {
    const std::string& meant = job.spec ? job.spec->queue : job.queue;
    end_.moved_queue += !meant.empty() && made.queue != meant;
    recorder_.name(made.id, job.id, job.run_time);
    newest_ = made.id;
  }

  // Forecasts the start of the newest job, if it waits.
  void foresee() {
    const auto newest = std::exchange(newest_, std::nullopt);
    if (!newest || !forecasts_.is_due(site_->now())) return;
    const auto job = site_->tables().jobs.find(*newest);
    if (job == site_->tables().jobs.end() || job->second.state != JobState::queued) return;
    forecasts_.made(*newest, job->second.queue, site_->forecast());
  }

  void report() {
    const auto changes = progress_.ended + recorder_.running_gpu_milli() + end_.submitted;
    if (std::exchange(changes_, changes) != changes) last_change_ = site_->now();
    if (!on_progress_ || ++steps_ % kStepsBetweenReports != 0) return;
    progress_.now = site_->now();
    progress_.submitted = end_.submitted;
    progress_.share = workload_.share();
    progress_.live = static_cast<std::int64_t>(recorder_.live().size());
    on_progress_(progress_);
  }

  SimulationEnd finish() {
    for (const auto& [id, record] : recorder_.live()) (record.started_at ? end_.unfinished : end_.never_started) += 1;
    if (options_.until && end_.unfinished > 0) end_.end = *options_.until;
    end_.passed_over = workload_.skipped();
    end_.remarks = workload_.remarks();
    end_.used_gpu_ms = recorder_.used_gpu_ms(std::max(end_.end, last_change_));
    end_.cost_micros = recorder_.cost_micros(std::max(end_.end, last_change_));
    // A job that never starts goes on waiting. Idle time after the end does not count.
    const auto idle = end_.unfinished > 0 ? recorder_.idle(end_.end) : recorder_.idle_at_last_end();
    end_.scattered_gpu_ms = idle.scattered_gpu_ms;
    end_.idle_while_waiting_gpu_ms = idle.while_waiting_gpu_ms;
    end_.cycles = site_->cycles();
    end_.forecasts = forecasts_.take();
    end_.timeline = recorder_.timeline(std::max(end_.end, site_->now()));
    return std::move(end_);
  }

  Workload& workload_;
  SimulationOptions options_;
  std::function<void(const SimulationProgress&)> on_progress_;
  Recorder recorder_;
  StartForecasts forecasts_;
  SimulationEnd end_;
  SimulationProgress progress_;
  std::optional<TraceJob> arrival_;
  std::optional<JobId> newest_;  // submitted since the last step
  std::unique_ptr<Site> site_;
  std::int64_t changes_ = 0, steps_ = 0;
  Instant last_change_;
};

}  // namespace

Result<SimulationEnd> simulate(Workload& workload, SimulationOptions options,
                               std::function<void(const JobRecord&)> on_end,
                               std::function<void(const SimulationProgress&)> on_progress) {
  return Run(workload, std::move(options), std::move(on_end), std::move(on_progress)).run();
}

}  // namespace ym::sim
