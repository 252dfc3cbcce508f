#include "sim/workload/pollux_speeds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "sim/workload/each_row.h"
#include "sim/workload/tables_beside.h"

namespace ym::sim {
namespace {

// From applications.py of the artifact's simulator.
struct Constants {
  std::string_view name;
  std::int64_t initial_batch, most_batch, most_local, epochs;
};
constexpr std::array kConstants{
    Constants{"bert", 12, 384, 12, 2},         Constants{"cifar10", 128, 4096, 1024, 100},
    Constants{"ncf", 256, 32768, 32768, 10},   Constants{"imagenet", 200, 12800, 200, 90},
    Constants{"deepspeech2", 20, 640, 80, 80}, Constants{"yolov3", 8, 512, 8, 50},
};

// GPUs of the nodes of the measurements.
constexpr std::int64_t kGpusPerNode = 4;
// Placements on more nodes are not listed.
constexpr std::int64_t kListedNodes = 4;

std::int64_t parts_rounded_up(std::int64_t all, std::int64_t of) { return (all + of - 1) / of; }

// The last node, which may have free GPUs, comes first: the table lists the smallest number of all rotations of a
// placement.
std::int64_t packed_digits(std::int64_t gpus) {
  std::int64_t digits = gpus % kGpusPerNode;
  for (std::int64_t full = gpus / kGpusPerNode; full > 0; --full) digits = digits * 10 + kGpusPerNode;
  return digits;
}

// Iterations until the end of the last epoch. Each row is an epoch with its last iteration, counted from 0.
Result<double> read_iterations(const std::string& path, std::int64_t epochs) {
  std::int64_t epoch = 0;
  double last = 0;
  const auto read = for_each_row(path, [&](RowView& row) {
    const double iteration = row.real("iteration");
    if (++epoch <= epochs) last = iteration;
  });
  if (!read) return std::unexpected(read.error());
  if (epoch < epochs)
    return fail(ErrorCode::invalid, fmt::format("{}: it has {} epochs; {} are required", path, epoch, epochs));
  return last + 1;
}

}  // namespace

Result<PolluxSpeeds> PolluxSpeeds::beside(const std::string& trace) {
  const auto folder = table_beside(trace, "apps");
  if (!folder) return std::unexpected(folder.error());
  PolluxSpeeds speeds;
  speeds.folder_ = *folder;
  std::error_code ignored;
  for (const Constants& one : kConstants) {
    if (!std::filesystem::exists(fmt::format("{}/{}", *folder, one.name), ignored)) continue;
    if (auto read = speeds.read_application(trace, one.name); !read) return std::unexpected(read.error());
  }
  if (auto read = speeds.read_grid(trace); !read) return std::unexpected(read.error());
  return speeds;
}

void PolluxSpeeds::add_step(RowView& row, const StepColumns& columns, Steps& steps) {
  const Step step{.step_s = row.real(columns.step_s), .sync_s = row.real(columns.sync_s)};
  if (step.sync_s >= step.step_s) row.refuse(columns.step_s, "is not more than the time to put gradients together");
  if (!steps.emplace(row.real("local_bsz"), step).second) row.refuse("local_bsz", "is there twice");
}

Result<void> PolluxSpeeds::read_application(const std::string& trace, std::string_view name) {
  const Constants& constants = *std::ranges::find(kConstants, name, &Constants::name);
  Application application{.initial_batch = constants.initial_batch, .most_local = constants.most_local};
  for (std::int64_t batch = constants.initial_batch; batch <= constants.most_batch; batch *= 2) {
    const auto path = table_beside(trace, fmt::format("apps/{}/validation-{}.csv", name, batch));
    if (!path) continue;  // not measured
    const auto iterations = read_iterations(*path, constants.epochs);
    if (!iterations) return std::unexpected(iterations.error());
    application.iterations[batch] = *iterations;
  }
  const auto placements = table_beside(trace, fmt::format("apps/{}/placements.csv", name));
  if (!placements) return std::unexpected(placements.error());
  auto read = for_each_row(*placements, [&](RowView& row) {
    add_step(row, {"step_time", "sync_time"}, application.by_placement[row.count("placement", 1)]);
  });
  if (read) applications_.emplace(name, std::move(application));
  return read;
}

Result<void> PolluxSpeeds::read_grid(const std::string& trace) {
  const auto path = table_beside(trace, "interp_grid.csv");
  if (!path) return std::unexpected(path.error());
  return for_each_row(*path, [&](RowView& row) {
    const auto application = applications_.find(row.text("app"));
    if (application == applications_.end()) return;
    const std::pair counts{row.count("num_nodes", 1), row.count("num_replicas", 1)};
    add_step(row, {"step_time_s", "sync_time_s"}, application->second.by_counts[counts]);
  });
}

std::optional<double> PolluxSpeeds::iterations(std::string_view application, std::int64_t batch) const {
  const auto found = applications_.find(application);
  if (found == applications_.end()) return std::nullopt;
  const auto measured = found->second.iterations.find(batch);
  return measured == found->second.iterations.end() ? std::nullopt : std::optional(measured->second);
}

std::optional<PolluxSpeeds::Step> PolluxSpeeds::step(const Application& application, std::int64_t gpus,
                                                     double samples) {
  const std::int64_t nodes = parts_rounded_up(gpus, kGpusPerNode);
  const auto listed =
      nodes > kListedNodes ? application.by_placement.end() : application.by_placement.find(packed_digits(gpus));
  const auto counted = application.by_counts.find({nodes, gpus});
  if (listed == application.by_placement.end() && counted == application.by_counts.end()) return std::nullopt;
  const Steps& steps = listed == application.by_placement.end() ? counted->second : listed->second;
  const auto above = steps.lower_bound(samples);
  if (above == steps.end() || (above == steps.begin() && above->first != samples)) return std::nullopt;
  if (above->first == samples) return above->second;
  const auto& [more, high] = *above;
  const auto& [less, low] = *std::prev(above);
  const double share = (samples - less) / (more - less);
  return Step{.step_s = low.step_s + share * (high.step_s - low.step_s),
              .sync_s = low.sync_s + share * (high.sync_s - low.sync_s)};
}

std::optional<double> PolluxSpeeds::iteration_s(std::string_view application, std::int64_t gpus,
                                                std::int64_t batch) const {
  const auto found = applications_.find(application);
  if (found == applications_.end()) return std::nullopt;
  const auto& [initial_batch, most_local, iterations, by_placement, by_counts] = found->second;
  const std::int64_t per_replica = parts_rounded_up(batch, gpus);
  std::int64_t steps = parts_rounded_up(per_replica, most_local);
  // As in the artifact: with one step it could not measure the noise of the gradients.
  if (gpus == 1 && batch > initial_batch) steps = std::max<std::int64_t>(steps, 2);
  const auto one = step(found->second, gpus, static_cast<double>(parts_rounded_up(per_replica, steps)));
  if (!one) return std::nullopt;
  return one->step_s + (one->step_s - one->sync_s) * static_cast<double>(steps - 1);
}

}  // namespace ym::sim
