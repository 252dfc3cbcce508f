#include "fault_injection/draw.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::sim {
namespace {

constexpr std::int64_t kGibibyte = std::int64_t{1} << 30;

Node node_of(int number, const std::string& cluster, int gpus) {
  Node node{.name = fmt::format("n{}", number), .cluster = cluster, .gpu_type = "t4"};
  for (int gpu = 0; gpu < gpus; ++gpu)
    node.devices.push_back({.id = std::to_string(gpu), .physical = std::to_string(gpu)});
  node.cpus = 16'000;
  node.memory_bytes = 64 * kGibibyte;
  return node;
}

Queue queue_of(Random& random, std::string name, std::int64_t gpus) {
  Queue queue{.name = std::move(name), .parent = "team"};
  Quota quota{.nominal = gpus * kMilli, .borrowing_limit = {}, .lending_limit = {}};
  if (random.below(3) == 0) quota.borrowing_limit = kMilli * static_cast<std::int64_t>(random.below(3));
  queue.quota = {{std::string(kDefaultFlavor), {std::nullopt, std::nullopt, quota}}};
  if (random.below(3) == 0) queue.order = JobOrder::shortest_first;
  if (random.below(4) == 0) queue.strict = true;
  return queue;
}

}  // namespace

DesiredState draw_site(Random& random) {
  DesiredState site;
  const bool two = random.below(3) == 0;
  site.clusters.push_back({.name = "east", .executor = "simulated"});
  if (two) site.clusters.push_back({.name = "west", .executor = "simulated"});
  const auto nodes = 2 + random.below(5);
  std::int64_t gpus = 0;
  for (std::uint64_t n = 0; n < nodes; ++n) {
    const bool west = two && n + 1 == nodes;
    site.nodes.push_back(node_of(static_cast<int>(n), west ? "west" : "east", random.below(2) == 0 ? 2 : 4));
    gpus += static_cast<std::int64_t>(site.nodes.back().devices.size());
  }
  if (random.below(4) == 0) return site;  // one queue without quota
  const auto first = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(gpus - 1)));
  site.queues.push_back({.name = "team"});
  site.queues.push_back(queue_of(random, "a", first));
  site.queues.push_back(queue_of(random, "b", gpus - first));
  return site;
}

JobSpec draw_job(Random& random, const DesiredState& site) {
  const auto below = [&](std::uint64_t bound) { return static_cast<std::int64_t>(random.below(bound)); };
  const auto one_in = [&](std::uint64_t n) { return random.below(n) == 0; };
  JobSpec spec{.name = fmt::format("job-{}", below(1000))};
  spec.queue = site.queues.empty() ? "default" : one_in(2) ? "a" : "b";
  spec.run = {.form = Program::Form::argv, .words = {"simulated"}};
  spec.workdir = "/";
  spec.priority = static_cast<std::int32_t>(10 + 20 * below(4));
  spec.nodes = one_in(3) ? static_cast<std::int32_t>(2 + below(2)) : 1;
  if (spec.nodes > 1 && one_in(3)) spec.min_nodes = 1;
  spec.resources = {.gpus = (1 + below(2)) * kMilli, .cpus = 1000, .memory_bytes = kGibibyte};
  if (spec.nodes == 1 && one_in(8)) spec.resources.gpus = 500;
  spec.env["SIMULATED_RUN_TIME"] = fmt::format("{}ms", 1000 + below(one_in(4) ? 1'800'000 : 400'000));
  if (one_in(6)) spec.env["SIMULATED_EXIT_CODE"] = "3";
  if (one_in(3)) spec.env["SIMULATED_STOP_TIME"] = fmt::format("{}s", below(50));
  if (one_in(3)) spec.env["SIMULATED_CHECKPOINTS"] = one_in(2) ? "stop" : "1m";
  if (one_in(4)) spec.env["SIMULATED_START_TIME"] = "10s";
  if (one_in(5)) spec.time_limit = seconds(30) + Duration{below(600'000)};
  spec.retry.error_max = static_cast<std::int32_t>(below(3));
  spec.retry.infra_max = 10;
  spec.stop.grace = seconds(1 + below(40));
  if (one_in(6)) spec.stop.preemptible = false;
  return spec;
}

}  // namespace ym::sim
