#include "papers/elastic/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "sim/workload/each_row.h"

namespace ym::sim::elastic {
namespace {

double number(RowView& row, std::string_view column) {
  const std::string_view text = row.text(column);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all_read = error == std::errc() && end == text.data() + text.size();
  if (!all_read || !std::isfinite(value) || value < 0) row.refuse(column, "is no number of at least 0");
  return value;
}

Count count(RowView& row, std::string_view column) { return static_cast<Count>(row.count(column, 1)); }

StepSample sample_of(RowView& row, std::string_view step_column, std::string_view sync_column) {
  const StepSample sample{
      .local_batch = number(row, "local_bsz"), .step_s = number(row, step_column), .sync_s = number(row, sync_column)};
  if (sample.step_s <= 0 || sample.sync_s >= sample.step_s) row.refuse(step_column, "is not more than the sync time");
  return sample;
}

Result<void> read_validation(Profile& profile, const std::string& folder, Count batch) {
  const std::string path = fmt::format("{}/apps/{}/validation-{}.csv", folder, profile.name, batch);
  Validation validation{.batch = batch, .progress = {}, .iterations = {}, .grad_sqr = {}, .grad_var = {}};
  const auto read = for_each_row(path, [&](RowView& row) {
    validation.progress.push_back(number(row, "progress"));
    validation.iterations.push_back(number(row, "iteration"));
    validation.grad_sqr.push_back(number(row, "grad_sqr"));
    validation.grad_var.push_back(number(row, "grad_var"));
  });
  if (!read) return read;
  if (validation.progress.size() < profile.epochs || !std::ranges::is_sorted(validation.progress))
    return fail(ErrorCode::invalid, fmt::format("{}: {} epochs in rising order are wanted", path, profile.epochs));
  profile.validations.push_back(std::move(validation));
  return {};
}

Result<void> read_measurements(Profile& profile, const std::string& folder) {
  for (Count batch = profile.limits.initial; batch <= profile.limits.most; batch *= 2)
    if (auto read = read_validation(profile, folder, batch); !read) return read;
  return for_each_row(fmt::format("{}/apps/{}/placements.csv.gz", folder, profile.name), [&](RowView& row) {
    profile.by_digits[count(row, "placement")].push_back(sample_of(row, "step_time", "sync_time"));
  });
}

Result<void> read_grid(std::vector<Profile>& profiles, const std::string& folder) {
  return for_each_row(folder + "/interp_grid.csv.gz", [&](RowView& row) {
    const auto profile = std::ranges::find(profiles, row.text("app"), &Profile::name);
    if (profile == profiles.end()) return;
    profile->by_counts[{count(row, "num_nodes"), count(row, "num_replicas")}].push_back(
        sample_of(row, "step_time_s", "sync_time_s"));
  });
}

// What is asked for between two samples needs both, with something between them.
template <class Table>
bool sort_samples(Table& table) {
  for (auto& [key, samples] : table) {
    std::ranges::sort(samples, {}, &StepSample::local_batch);
    const bool repeats = std::ranges::adjacent_find(samples, {}, &StepSample::local_batch) != samples.end();
    if (samples.size() < 2 || repeats) return false;
  }
  return true;
}

}  // namespace

std::vector<Profile> known_profiles() {
  const auto profile = [](std::string name, const BatchLimits& limits, std::size_t epochs) {
    return Profile{.name = std::move(name), .limits = limits, .epochs = epochs};
  };
  std::vector<Profile> profiles{
      profile("bert", {12, 384, 4, 12}, 2),          profile("cifar10", {128, 4096, 32, 1024}, 100),
      profile("ncf", {256, 32768, 32, 32768}, 10),   profile("imagenet", {200, 12800, 20, 200}, 90),
      profile("deepspeech2", {20, 640, 10, 80}, 80), profile("yolov3", {8, 512, 4, 8}, 50)};
  profiles[2].only_batch = 32768;
  return profiles;
}

Result<Catalog> read_catalog(const std::string& folder, std::vector<Profile> profiles) {
  for (Profile& profile : profiles)
    if (auto read = read_measurements(profile, folder); !read) return std::unexpected(read.error());
  if (auto read = read_grid(profiles, folder); !read) return std::unexpected(read.error());
  Catalog catalog;
  for (Profile& profile : profiles) {
    if (!sort_samples(profile.by_digits) || !sort_samples(profile.by_counts))
      return fail(ErrorCode::invalid, fmt::format("{}: {}: a layout has fewer than two batches, or one of them twice",
                                                  folder, profile.name));
    catalog.emplace_back(std::move(profile));
  }
  return catalog;
}

Result<std::vector<JobRequest>> read_workload(const std::string& path, const Catalog& catalog) {
  std::vector<JobRequest> requests;
  const auto read = for_each_row(path, [&](RowView& row) {
    const auto application = std::ranges::find(catalog, row.text("application"), &Application::name);
    if (application == catalog.end()) return row.refuse("application", "is not known");
    const BatchLimits& limits = application->limits();
    JobRequest request{.name = std::string(row.text("name")),
                       .application = static_cast<std::size_t>(application - catalog.begin()),
                       .submit_s = static_cast<std::int32_t>(row.count("time")),
                       .gpus = count(row, "num_replicas"),
                       .batch = count(row, "batch_size")};
    if (request.gpus > Cluster{}.gpus()) row.refuse("num_replicas", "is more than the cluster has");
    if (request.batch < limits.initial || request.batch > limits.most)
      row.refuse("batch_size", "is none that the application was measured with");
    requests.push_back(std::move(request));
  });
  if (!read) return std::unexpected(read.error());
  if (requests.empty()) return fail(ErrorCode::invalid, path + ": there are no jobs in it");
  return requests;
}

}  // namespace ym::sim::elastic
