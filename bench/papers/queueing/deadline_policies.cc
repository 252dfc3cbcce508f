#include "papers/queueing/deadline_policies.h"

#include "papers/only_named.h"
#include "papers/queueing/engine_run.h"
#include "papers/queueing/preempting.h"
#include "papers/queueing/queue.h"
#include "papers/queueing/worth.h"

namespace ym::sim::queueing {
namespace {

DeadlinePolicy plain(const std::string& name, Turns (*turns)(std::span<const Job>), Scan scan) {
  return {.name = name,
          .run = [turns, scan](std::span<const Job> jobs, std::span<const Deadlines>, const ClusterShape& shape) {
            return run_queue(jobs, turns(jobs), {.shape = shape, .scan = scan});
          }};
}

DeadlinePolicy by(const std::string& name, Turns (*turns)(std::span<const Job>, std::span<const Deadlines>),
                  Scan scan) {
  return {
      .name = name,
      .run = [turns, scan](std::span<const Job> jobs, std::span<const Deadlines> deadlines, const ClusterShape& shape) {
        return run_queue(jobs, turns(jobs, deadlines), {.shape = shape, .scan = scan});
      }};
}

DeadlinePolicy srtf() {
  return {.name = "SRTF", .run = [](std::span<const Job> jobs, std::span<const Deadlines>, const ClusterShape& shape) {
            return run_srtf(jobs, {.shape = shape});
          }};
}

DeadlinePolicy ours(const std::string& name, BestEffort best_effort) {
  return {
      .name = name,
      .run = [best_effort](std::span<const Job> jobs, std::span<const Deadlines> deadlines, const ClusterShape& shape) {
        return run_by_worth(jobs, deadlines, {.shape = shape, .best_effort = best_effort});
      }};
}

DeadlinePolicy engine(const std::string& name, std::optional<Duration> age_cap) {
  return {.name = name,
          .run =
              [age_cap](std::span<const Job> jobs, std::span<const Deadlines> deadlines, const ClusterShape& shape) {
                return run_engine(
                    jobs, deadlines,
                    {.shape = shape, .order = JobOrder::deadline, .declared = Declared::run_time, .age_cap = age_cap});
              },
          .is_engine = true};
}

std::vector<DeadlinePolicy> all_policies() {
  return {plain("FIFO strict", by_submission, Scan::strict),
          plain("FIFO backfilling", by_submission, Scan::backfilling),
          plain("SJF strict", by_run_time, Scan::strict),
          plain("SJF skipping", by_run_time, Scan::skipping),
          by("EDF strict", by_deadline, Scan::strict),
          by("EDF skipping", by_deadline, Scan::skipping),
          by("EDF admission strict", by_reachable_deadline, Scan::strict),
          by("EDF admission skipping", by_reachable_deadline, Scan::skipping),
          by("least laxity skipping", by_last_start, Scan::skipping),
          srtf(),
          ours("ours, best effort behind", BestEffort::behind),
          ours("ours, best effort among", BestEffort::among),
          engine("engine, deadline", std::nullopt),
          engine("engine, deadline, uncapped", hours(24 * 365))};
}

}  // namespace

Result<std::vector<DeadlinePolicy>> deadline_policies(const std::vector<std::string>& wanted) {
  return only_named(all_policies(), wanted, &DeadlinePolicy::name);
}

}  // namespace ym::sim::queueing
