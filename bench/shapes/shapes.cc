// shapes [NAME]: published loads, or one of them, for the engine alone. Prints one JSON object: milliseconds of the
// cycles of each load.
//
// KAI's loads are those of its scale tests (test/e2e/scale): 500 nodes of 8 GPUs. Kueue's loads are those of
// test/performance/scheduler, with quota for all jobs and without preemption.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

#include "shapes/town.h"

namespace {

using namespace ym;
using bench::add_job;
using bench::Town;

constexpr int kNodes = 500, kGpus = 8;

std::string name_of(int node) { return fmt::format("n{:04}", node); }

Tables five_hundred() {
  Tables tables;
  tables.clusters["lab"] = {.name = "lab", .executor = "simulated"};
  for (int i = 0; i < kNodes; ++i) tables.nodes[name_of(i)] = bench::node(name_of(i), kGpus, 96);
  tables.queues["default"] = Queue{.name = "default"};
  return tables;
}

JobSpec gang(int nodes, int gpus, std::string queue = "default") {
  JobSpec spec{.name = "job", .queue = std::move(queue)};
  spec.nodes = nodes;
  spec.resources.gpus = gpus * kMilli;
  return spec;
}

struct Took {
  double ms = 0;
  std::size_t admitted = 0;
  int cycles = 0;
};

Took settled(Tables tables, const engine::Policy& policy = {}) {
  Town town(std::move(tables), policy);
  town.settle();
  return {town.ms(), town.admitted(), town.cycles()};
}

Took fill() {
  Tables tables = five_hundred();
  for (int i = 0; i < kNodes * kGpus; ++i) add_job(tables, gang(1, 1));
  return settled(std::move(tables));
}

// 4 zones of 8 blocks of 8 racks of 2 nodes.
Took gang_in_racks() {
  Tables tables = five_hundred();
  tables.clusters["lab"].topology = {"zone", "block", "rack"};
  for (int i = 0; i < 512; ++i) {
    Node node = bench::node(name_of(i), kGpus, 96);
    node.labels = {
        {"zone", std::to_string(i / 128)}, {"block", std::to_string(i / 16 % 8)}, {"rack", std::to_string(i / 2 % 8)}};
    tables.nodes[node.name] = std::move(node);
  }
  JobSpec spec = gang(512, 2);
  spec.placement.edit().preferred_level = "rack";
  add_job(tables, std::move(spec));
  return settled(std::move(tables));
}

// A job needs ten whole nodes. One of the last ten has a GPU in use.
Took one_short() {
  Tables tables = five_hundred();
  for (int i = 0; i < kNodes - 10; ++i) bench::run(tables, add_job(tables, gang(1, kGpus)), {name_of(i)}, 0);
  bench::run(tables, add_job(tables, gang(1, 1)), {name_of(kNodes - 1)}, 0);
  add_job(tables, gang(10, kGpus));
  Town town(std::move(tables));
  town.decide();
  return {town.ms(), town.admitted(), town.cycles()};
}

void set_quota(Tables& tables, const std::string& name, std::int64_t gpus) {
  Queue queue{.name = name, .parent = "org"};
  queue.quota.emplace()["default"][static_cast<std::size_t>(ResourceKind::gpus)] = Quota{.nominal = gpus * kMilli};
  tables.queues[name] = std::move(queue);
  tables.queues["org"] = Queue{.name = "org"};
}

// Another queue has borrowed everything.
Took reclaim_all() {
  Tables tables = five_hundred();
  set_quota(tables, "owner", std::int64_t{kNodes} * kGpus);
  set_quota(tables, "guest", 0);
  for (int i = 0; i < kNodes * kGpus; ++i)
    bench::run(tables, add_job(tables, gang(1, 1, "guest")), {name_of(i / kGpus)}, i % kGpus);
  for (int i = 0; i < kNodes * kGpus; ++i) add_job(tables, gang(1, 1, "owner"));
  return settled(std::move(tables));
}

// Three GPUs of each node are in use by single-GPU jobs. Gangs that need six fit only after consolidation.
Took consolidate() {
  Tables tables = five_hundred();
  for (int i = 0; i < kNodes * 3; ++i) {
    Job job = add_job(tables, gang(1, 1));
    // The gangs have waited for three hours, so moves that cost a few minutes are worth it.
    job.submitted_at = Instant{0} + hours(100) - minutes(5);
    bench::run(tables, job, {name_of(i / 3)}, i % 3);
  }
  for (int i = 0; i < 41; ++i) add_job(tables, gang(10, 6));
  return settled(std::move(tables), {.consolidation = Consolidation::on, .preemptions_per_hour = 16});
}

struct Class {
  int count;
  std::int64_t cpus_milli;
  int tasks = 1, slice = 0;
};

// The three variants of Kueue's loads with topology, in turn: rack required, rack preferred, and balanced (slices that
// are each in one rack).
PlacementRules in_racks(const Class& one, int job) {
  if (job % 3 == 0) return {.required_level = "rack"};
  PlacementRules rules{.preferred_level = "rack"};
  if (job % 3 == 2) rules.slice = SliceRule{.level = "rack", .nodes = one.slice};
  return rules;
}

// Cohorts of six queues. Each queue has the given number of jobs of each class.
Took kueue(int cohorts, const std::vector<Class>& classes, bool racks) {
  Tables tables;
  tables.clusters["lab"] = {.name = "lab", .executor = "simulated", .topology = {"block", "rack"}};
  // Without topology Kueue does not place jobs on nodes, so here are few large nodes then.
  for (int i = 0; i < (racks ? 640 : 10); ++i) {
    Node node = bench::node(name_of(i), 0, racks ? 96 : 20'000);
    node.labels = {{"block", "b1"}, {"rack", std::to_string(i / 64)}};
    tables.nodes[node.name] = std::move(node);
  }
  for (int cohort = 0; cohort < cohorts; ++cohort) {
    const std::string parent = fmt::format("c{}", cohort);
    tables.queues[parent] = Queue{.name = parent};
    for (int i = 0; i < 6; ++i) {
      Queue queue{.name = fmt::format("{}-{}", parent, i), .parent = parent};
      queue.quota.emplace()["default"][static_cast<std::size_t>(ResourceKind::cpus)] =
          Quota{.nominal = std::int64_t{1'000'000} * kMilli};
      for (const Class& one : classes)
        for (int job = 0; job < one.count; ++job) {
          JobSpec spec{.name = "job", .queue = queue.name};
          spec.resources.cpus = one.cpus_milli;
          spec.nodes = one.tasks;
          if (racks) spec.placement = in_racks(one, job);
          add_job(tables, std::move(spec));
        }
      tables.queues[queue.name] = std::move(queue);
    }
  }
  return settled(std::move(tables), {.preempt_phase = false});
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::pair<std::string, std::function<Took()>>> shapes{
      {"fill", fill},
      {"gang", gang_in_racks},
      {"verdict", one_short},
      {"reclaim", reclaim_all},
      {"consolidate", consolidate},
      {"kueue_baseline", [] { return kueue(5, {{350, 1'000}, {100, 5'000}, {50, 20'000}}, false); }},
      {"kueue_large", [] { return kueue(167, {{4, 1'000}, {1, 5'000}}, false); }},
      {"kueue_tas", [] { return kueue(1, {{175, 500, 2, 1}, {50, 1'250, 4, 2}, {25, 2'500, 8, 4}}, true); }},
  };
  std::string text;
  for (const auto& [name, run] : shapes) {
    if (argc > 1 && name != argv[1]) continue;
    const Took took = run();
    text += fmt::format("{}\"{}\": {{\"ms\": {:.3f}, \"admitted\": {}, \"cycles\": {}}}", text.empty() ? "" : ", ",
                        name, took.ms, took.admitted, took.cycles);
  }
  fmt::print("{{{}}}\n", text);
  return 0;
}
