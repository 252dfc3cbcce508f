#include "cycles/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/random.h"

namespace ym::bench {
namespace {

constexpr std::int32_t kGpus = 8;
constexpr std::int64_t kCpusPerGpu = 8 * kMilli;
constexpr std::int64_t kMemoryPerGpu = std::int64_t{64} << 30;

class Builder {
 public:
  Builder(const WorldSize& size, std::uint64_t seed) : size_(size), luck_(seed) {}

  Tables build() {
    tables_.clusters["lab"] = {.name = "lab", .executor = "simulated"};
    tables_.flavors["h100"] = {.name = "h100", .gpu_type = "h100"};
    nodes();
    queues();
    run_some();
    for (std::int32_t i = 0; i < size_.queued; ++i) add_job(draw(), JobState::queued);
    tables_.last_id = tables_.jobs.size();
    return std::move(tables_);
  }

 private:
  void nodes() {
    for (std::int32_t i = 0; i < size_.nodes; ++i) {
      Node node{.name = fmt::format("n{:05}", i), .cluster = "lab", .gpu_type = "h100"};
      node.cpus = kGpus * kCpusPerGpu;
      node.memory_bytes = kGpus * kMemoryPerGpu;
      node.labels["rack"] = fmt::format("r{}", i / 32);
      for (std::int32_t gpu = 0; gpu < kGpus; ++gpu) node.devices.push_back({.id = std::to_string(gpu)});
      names_.push_back(node.name);
      tables_.nodes[node.name] = std::move(node);
    }
    free_.assign(names_.size(), kGpus);
  }

  void queues() {
    tables_.queues["org"] = Queue{.name = "org"};
    for (std::int32_t i = 0; i < size_.queues; ++i) {
      Queue queue{.name = fmt::format("q{:02}", i), .parent = "org"};
      queue.reclaim = PreemptRule::never;
      const std::int64_t whole = std::int64_t{size_.nodes} * kGpus * kMilli;
      queue.quota.emplace()["h100"][static_cast<std::size_t>(ResourceKind::gpus)] =
          Quota{.nominal = whole / size_.queues, .borrowing_limit = {}, .lending_limit = {}};
      tables_.queues[queue.name] = std::move(queue);
    }
  }

  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(luck_.below(static_cast<std::uint64_t>(high - low + 1)));
  }

  JobSpec draw() {
    JobSpec spec{.name = "job", .queue = fmt::format("q{:02}", between(0, size_.queues - 1))};
    const auto kind = between(1, 100);
    std::int64_t gpus = kGpus;
    if (kind <= 60) gpus = std::int64_t{1} << between(0, 3);
    else if (kind <= 85) spec.nodes = static_cast<std::int32_t>(between(2, 8));
    else if (kind <= 97) spec.nodes = static_cast<std::int32_t>(between(2, 8) * 8);
    else spec.nodes = static_cast<std::int32_t>(between(4, 8) * 32);
    spec.resources = {.gpus = gpus * kMilli, .cpus = gpus * kCpusPerGpu, .memory_bytes = gpus * kMemoryPerGpu};
    spec.priority = 50;
    spec.time_limit = minutes(30 * between(1, 144));
    return spec;
  }

  JobId add_job(JobSpec spec, JobState state) {
    Job job;
    job.id = {tables_.jobs.size() + 1};
    job.name = spec.name;
    job.queue = spec.queue;
    job.priority = spec.priority;
    job.state = state;
    if (state == JobState::queued) job.pending = ReasonCode::pending_evaluation;
    job.submitted_at = job.waits_since = {static_cast<std::int64_t>(job.id.value)};
    job.spec = std::make_shared<const JobSpec>(std::move(spec));
    return tables_.jobs.emplace(job.id, std::move(job)).first->first;
  }

  void run_some() {
    const auto all = std::int64_t{size_.nodes} * kGpus;
    for (std::int64_t used = 0; used * 100 < all * size_.full_percent;) {
      JobSpec spec = draw();
      const auto gpus = spec.resources.gpus / kMilli;
      spec.nodes = std::min<std::int32_t>(spec.nodes, room_for(gpus));
      if (spec.nodes == 0) continue;
      used += gpus * spec.nodes;
      run(std::move(spec), gpus);
    }
  }

  std::int32_t room_for(std::int64_t gpus) const {
    return static_cast<std::int32_t>(std::ranges::count_if(free_, [&](std::int64_t free) { return free >= gpus; }));
  }

  void run(JobSpec spec, std::int64_t gpus) {
    Attempt attempt{
        .number = 1, .state = AttemptState::running, .cluster = "lab", .queue = spec.queue, .flavor = "h100"};
    for (std::size_t node = 0; std::ssize(attempt.placement) < spec.nodes; ++node) {
      if (free_[node] < gpus) continue;
      TaskPlacement task{
          .task = static_cast<std::int32_t>(attempt.placement.size()), .node = names_[node], .devices = {}};
      for (; std::ssize(task.devices) < gpus; --free_[node]) task.devices.push_back(std::to_string(free_[node] - 1));
      attempt.placement.push_back(std::move(task));
    }
    attempt.tasks.resize(attempt.placement.size());
    attempt.started_at = Instant{0};
    attempt.job = add_job(std::move(spec), JobState::running);
    tables_.attempts.insert_or_assign(attempt.key(), std::move(attempt));
  }

  WorldSize size_;
  Random luck_;
  Tables tables_;
  std::vector<std::string> names_;
  std::vector<std::int64_t> free_;
};

}  // namespace

Tables world(const WorldSize& size, std::uint64_t seed) { return Builder(size, seed).build(); }

}  // namespace ym::bench
