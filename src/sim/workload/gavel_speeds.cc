#include "sim/workload/gavel_speeds.h"

#include <fmt/format.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <utility>

#include "sim/workload/tables_beside.h"

namespace ym::sim {
namespace {

namespace json = boost::json;

constexpr std::string_view kGpuType = "v100";
// The key of the speed without a second job on the same GPUs.
constexpr std::string_view kAlone = "null";

struct Configuration {
  std::string model;
  std::int64_t gpus = 0;
};

// "('ResNet-18 (batch size 16)', 1)"
std::optional<Configuration> configuration_of(std::string_view key) {
  constexpr std::string_view kBefore = "('", kBetween = "', ", kAfter = ")";
  const auto between = key.rfind(kBetween);
  if (!key.starts_with(kBefore) || !key.ends_with(kAfter) || between == std::string_view::npos) return std::nullopt;
  const auto number = key.substr(between + kBetween.size(), key.size() - between - kBetween.size() - kAfter.size());
  Configuration found{.model = std::string(key.substr(kBefore.size(), between - kBefore.size()))};
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), found.gpus);
  if (error != std::errc() || end != number.data() + number.size() || found.gpus < 1) return std::nullopt;
  return found;
}

std::optional<double> speed_alone(const json::value& speeds) {
  const auto* object = speeds.if_object();
  const auto* alone = object == nullptr ? nullptr : object->if_contains(kAlone);
  return alone != nullptr && alone->is_number() ? std::optional(alone->to_number<double>()) : std::nullopt;
}

}  // namespace

Result<GavelSpeeds> GavelSpeeds::beside(const std::string& trace) {
  auto path = table_beside(trace, "simulation_throughputs.json");
  if (!path) return std::unexpected(path.error());
  const auto text = read_text(*path);
  if (!text) return std::unexpected(text.error());
  boost::system::error_code problem;
  const json::value table = json::parse(*text, problem);
  if (problem) return fail(ErrorCode::invalid, fmt::format("{}: it is not JSON: {}", *path, problem.message()));
  const auto* types = table.if_object();
  const auto* speeds = types == nullptr ? nullptr : types->if_contains(kGpuType);
  if (speeds == nullptr || !speeds->is_object())
    return fail(ErrorCode::invalid, fmt::format("{}: it has no object '{}'", *path, kGpuType));
  GavelSpeeds found;
  for (const auto& [key, value] : speeds->get_object()) {
    const auto configuration = configuration_of(key);
    const auto speed = speed_alone(value);
    if (!configuration || !speed || *speed < 0)
      return fail(ErrorCode::invalid,
                  fmt::format("{}: '{}' of '{}' is not a model and a number of GPUs with a number '{}'", *path,
                              std::string_view(key), kGpuType, kAlone));
    // 0: the model does not run there.
    if (*speed > 0) found.by_model_[configuration->model][configuration->gpus] = *speed;
  }
  found.path_ = std::move(*path);
  return found;
}

std::optional<double> GavelSpeeds::of(std::string_view model, std::int64_t gpus) const {
  const auto by_gpus = by_model_.find(model);
  if (by_gpus == by_model_.end()) return std::nullopt;
  const auto above = by_gpus->second.upper_bound(gpus);
  if (above == by_gpus->second.begin()) return std::nullopt;
  return std::prev(above)->second;
}

}  // namespace ym::sim
