// Kinds of values that only job files have.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "model/keys/job.h"
#include "spec/job/gpu_request.h"
#include "spec/keys/read.h"
#include "spec/keys/read_job.h"
#include "spec/text/text_check.h"

namespace ym::keys {
namespace {

constexpr std::int64_t kMostRetries = 1'000;
constexpr std::size_t kLongestPlace = 4'095;
constexpr std::size_t kLongestImage = 512;

std::optional<std::int32_t> read_count(const Field& field, std::int64_t most) {
  const auto count = spec::read_whole_number(field, 1, most);
  return count ? std::optional(static_cast<std::int32_t>(*count)) : std::nullopt;
}

bool is_image(std::string_view text) {
  constexpr std::string_view kMarks = "./:@_-";
  const auto fits = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kMarks.contains(c);
  };
  return !text.empty() && !kMarks.contains(text.front()) && text.size() <= kLongestImage &&
         std::ranges::all_of(text, fits);
}

}  // namespace

// The form of registries: names, ports, tags and digests. It has no characters with a meaning for a shell.
std::optional<std::string> read(const Field& field, Image) {
  const auto text = spec::read_string(field);
  if (!text || is_image(*text)) return text;
  field.wrong(
      fmt::format("{} is not an image; write for example registry.example/team/pytorch:2.4", spec::quoted(*text)));
  return std::nullopt;
}

std::optional<std::string> read(const Field& field, Signal) {
  const auto text = spec::read_string(field);
  if (!text) return std::nullopt;
  for (const auto signal : kSignals)
    if (*text == signal || *text == signal.substr(3)) return std::string(signal);
  field.wrong(fmt::format("{} cannot be used; write one of {}", spec::quoted(*text), fmt::join(kSignals, ", ")));
  return std::nullopt;
}

std::optional<std::string> read(const Field& field, Place) {
  auto place = spec::read_string(field);
  if (!place) return std::nullopt;
  if (!place->empty() && place->size() <= kLongestPlace && !spec::has_control_characters(*place)) return place;
  field.wrong("is not a path or a URL; write 1 to 4095 bytes without control characters");
  return std::nullopt;
}

std::optional<std::int64_t> read(const Field& field, RetryLimit kind) {
  std::optional<MapReader> map;
  std::optional<Field> max = field;
  if (field.value->kind == spec::Value::Kind::map) {
    map.emplace(field);
    max = map->find("max");
  }
  std::optional<std::int64_t> limit;
  if (max && kind.may_be_unlimited && max->value->text == "unlimited") limit = RetryPolicy::kUnlimited;
  else if (max) limit = spec::read_whole_number(*max, 0, kMostRetries);
  if (map) map->finish();
  return limit;
}

void read_form(const Field& field, JobSpec& spec, NodeCount) {
  if (field.value->kind != spec::Value::Kind::map) return put(spec.nodes, read_count(field, kMostNodes));
  MapReader map(field);
  const auto min = map.require("min", "write the smallest number of nodes, for example {min: 2, max: 4}");
  const auto max = map.require("max", "write the largest number of nodes, for example {min: 2, max: 4}");
  map.finish();
  const auto fewest = min ? read_count(*min, kMostNodes) : std::nullopt;
  const auto most = max ? read_count(*max, kMostNodes) : std::nullopt;
  if (!fewest || !most) return;
  if (*fewest > *most) return min->wrong(fmt::format("{} is more than max, which is {}", *fewest, *most));
  spec.nodes = *most;
  if (*fewest < *most) spec.min_nodes = fewest;
}

void read_form(const Field& field, JobSpec& spec, MemberCount) {
  if (field.value->kind != spec::Value::Kind::map) return put(spec.array, read_count(field, kMostMembers));
  MapReader map(field);
  const auto count = map.require("count", "write the number of jobs, for example {count: 100, parallel: 10}");
  if (count) put(spec.array, read_count(*count, kMostMembers));
  if (const auto parallel = map.find("parallel")) put(spec.array_parallel, read_count(*parallel, kMostMembers));
  map.finish();
}

void read_into(const Field& field, RetryPolicy& retry, MapOf<RetryPolicy>) {
  MapReader map(field);
  read_keys(map, retry);
  map.finish();
  const auto longest = map.find("backoff_max");
  if (longest && retry.backoff_max < retry.backoff)
    longest->wrong(fmt::format("is less than backoff, which is {}", to_string(retry.backoff)));
  retry.backoff_max = std::max(retry.backoff_max, retry.backoff);
}

void read_into(const Field& field, TaskResources& resources, MapOf<TaskResources>) {
  MapReader map(field);
  spec::read_gpu_request(map, resources);
  resources.cpus = std::max(kMilli, resources.gpus);
  read_keys(map, resources);
  map.finish();
}

}  // namespace ym::keys
