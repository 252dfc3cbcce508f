#include "papers/queueing/named_policies.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "papers/queueing/engine_run.h"
#include "papers/queueing/preempting.h"
#include "papers/queueing/queue.h"
#include "papers/service/simulate.h"

namespace ym::sim::queueing {
namespace {

NamedPolicy queue_policy(const std::string& name, Turns (*turns)(std::span<const Job>), Scan scan) {
  return {.name = name, .run = [turns, scan](std::span<const Job> jobs, const ClusterShape& shape) {
            return run_queue(jobs, turns(jobs), {.shape = shape, .scan = scan});
          }};
}

std::vector<Outcome> run_ours(std::span<const Job> jobs, const ClusterShape& shape, Declared declared) {
  std::vector<Job> with_costs(jobs.begin(), jobs.end());
  std::vector<service::DeclaredUs> declarations;
  for (Job& job : with_costs) {
    job.overhead_us = StopCosts{}.of(job.gpus, shape.gpus_per_node);
    declarations.push_back(declared == Declared::run_time ? service::DeclaredUs(static_cast<double>(job.work_us))
                                                          : std::nullopt);
  }
  return service::run_service(with_costs, declarations, {.shape = shape});
}

NamedPolicy our_policy(const std::string& name, Declared declared) {
  return {.name = name, .run = [declared](std::span<const Job> jobs, const ClusterShape& shape) {
            return run_ours(jobs, shape, declared);
          }};
}

NamedPolicy engine_policy(const std::string& name, const EngineOptions& options) {
  return {.name = name,
          .run =
              [options](std::span<const Job> jobs, const ClusterShape& shape) {
                EngineOptions here = options;
                here.shape = shape;
                return run_engine(jobs, {}, here);
              },
          .is_engine = true};
}

}  // namespace

std::vector<NamedPolicy> published_policies() {
  return {
      queue_policy("FIFO strict", by_submission, Scan::strict),
      queue_policy("FIFO skipping", by_submission, Scan::skipping),
      queue_policy("FIFO backfilling", by_submission, Scan::backfilling),
      queue_policy("SJF strict", by_run_time, Scan::strict),
      queue_policy("SJF skipping", by_run_time, Scan::skipping),
      queue_policy("SJF backfilling", by_run_time, Scan::backfilling),
      {.name = "SRTF",
       .run = [](std::span<const Job> jobs, const ClusterShape& shape) { return run_srtf(jobs, {.shape = shape}); }},
      {.name = "Tiresias", .run = [](std::span<const Job> jobs, const ClusterShape& shape) {
         return run_tiresias(jobs, {.shape = shape});
       }}};
}

std::vector<NamedPolicy> our_policies() {
  return {our_policy("ours, declared", Declared::run_time), our_policy("ours, undeclared", Declared::nothing)};
}

std::vector<NamedPolicy> engine_policies() {
  const Duration year = hours(24 * 365);
  const JobOrder shortest = JobOrder::shortest_first;
  return {
      engine_policy("engine", {}),
      engine_policy("engine, limits", {.declared = Declared::run_time}),
      engine_policy("engine, limits, uncapped", {.declared = Declared::run_time, .age_cap = year}),
      engine_policy("engine, shortest", {.order = shortest, .declared = Declared::run_time}),
      engine_policy("engine, shortest, uncapped", {.order = shortest, .declared = Declared::run_time, .age_cap = year}),
      engine_policy("engine, predicted", {.order = shortest}),
      engine_policy("engine, predicted, uncapped", {.order = shortest, .age_cap = year}),
      engine_policy("engine, least attained", {.order = JobOrder::least_attained_service})};
}

std::vector<NamedPolicy> named_policies() {
  std::vector<NamedPolicy> all = published_policies();
  std::ranges::move(our_policies(), std::back_inserter(all));
  std::ranges::move(engine_policies(), std::back_inserter(all));
  return all;
}

}  // namespace ym::sim::queueing
