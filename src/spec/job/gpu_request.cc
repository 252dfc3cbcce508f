#include "spec/job/gpu_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/cluster.h"
#include "spec/text/quantities.h"

namespace ym::spec {
namespace {

constexpr auto kMostDevices = static_cast<std::int64_t>(kMaxDevicesPerNode);

// The request for one alternative. Nothing: an error is reported.
using Way = std::optional<TaskResources>;

Way whole_gpus(const Field& field, const std::string& text) {
  const bool is_number = field.value->kind == Value::Kind::number;
  const auto read = is_number ? read_gpus(field, kMostDevices) : read_gpus(field, text, kMostDevices);
  if (!read) return std::nullopt;
  return TaskResources{.gpus = read->count * kMilli, .gpu_type = read->type};
}

Way share(const Field& field, const std::string& text) {
  const auto [type, amount] = split_gpu_type(text);
  const auto milli = parse_thousandths(amount);
  if (!milli || (text.contains(':') && !is_name(type))) {
    field.wrong(fmt::format("{} is not a share of a GPU; write for example 500m, 0.5 or \"t4:500m\"", quoted(text)));
  } else if (*milli <= 0 || *milli >= kMilli) {
    field.wrong(fmt::format("{} is not between 1m and 999m; for whole GPUs write gpus", quoted(text)));
  } else {
    return TaskResources{.gpus = *milli, .gpu_type = type};
  }
  return std::nullopt;
}

Way slices(const Field& field, const std::string& text) {
  // The first word may be the type or the profile.
  auto read = parse_slices(text);
  std::string type;
  if (!read && text.contains(':')) {
    const auto [first, rest] = split_gpu_type(text);
    if (is_name(first)) read = parse_slices(rest);
    type = first;
  }
  if (!read) {
    field.wrong(fmt::format(
        "{} does not name MIG slices; write for example 1g.10gb, \"1g.10gb:2\" or \"h100:1g.10gb:2\"", quoted(text)));
  } else if (read->count < 1 || read->count > kMostDevices) {
    field.wrong(fmt::format("{} is out of range; write 1 to {} slices", read->count, kMostDevices));
  } else {
    return TaskResources{.gpus = read->count * *slice_milli(read->profile),
                         .gpu_type = type,
                         .profile = read->profile,
                         .slices = read->count};
  }
  return std::nullopt;
}

std::vector<std::string> ways_in(const std::string& text) {
  std::vector<std::string> ways;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('|', begin), text.size());
    const auto first = text.find_first_not_of(' ', begin), last = text.find_last_not_of(' ', end == 0 ? 0 : end - 1);
    ways.push_back(first >= end ? "" : text.substr(first, last + 1 - first));
    begin = end + 1;
  }
  return ways;
}

// "h100:8 | a100:8": the same number for several types.
template <class Read>
void read_ways(const Field& field, TaskResources& resources, Read read) {
  const auto text = read_scalar_text(field);
  if (!text) return;
  bool first = true;
  for (const std::string& one : ways_in(*text)) {
    auto way = read(field, one);
    if (!way) return;
    if (std::exchange(first, false)) {
      resources = std::move(*way);
      continue;
    }
    const std::string type = std::exchange(way->gpu_type, resources.gpu_type);
    if (type.empty() || resources.gpu_type.empty())
      return field.wrong("has alternatives without types; write for example \"h100:8 | a100:8\"");
    way->other_gpu_types = resources.other_gpu_types;
    if (*way != resources)
      return field.wrong("has alternatives that differ in more than the type; for other amounts write another job");
    if (type == resources.gpu_type ||
        std::ranges::find(resources.other_gpu_types, type) != resources.other_gpu_types.end())
      return field.wrong(fmt::format("names {} twice", quoted(type)));
    resources.other_gpu_types.push_back(type);
  }
}

void read_gpu_memory(const std::optional<Field>& field, const std::optional<Field>& share, TaskResources& resources) {
  if (!field && share) share->wrong("needs gpu_memory beside it: memory of that GPU, for example 8GiB");
  if (!field) return;
  if (!share) return field->wrong("is for a gpu_share; a job with whole GPUs or slices has all of their memory");
  const auto bytes = read_size(*field);
  if (!bytes) return;
  resources.gpu_memory_bytes = *bytes;
  if (*bytes == 0) field->wrong("is 0; write the largest amount of the GPU's memory that is needed");
}

}  // namespace

void read_gpu_request(MapReader& map, TaskResources& resources) {
  const auto gpus = map.find("gpus"), part = map.find("gpu_share"), mig = map.find("mig");
  if (gpus) read_ways(*gpus, resources, whole_gpus);
  if (part) {
    if (gpus) part->wrong("cannot be used together with gpus; write one of them");
    else read_ways(*part, resources, share);
  }
  if (mig) {
    if (gpus || part)
      mig->wrong(fmt::format("cannot be used together with {}; write one of them", gpus ? "gpus" : "gpu_share"));
    else read_ways(*mig, resources, slices);
  }
  read_gpu_memory(map.find("gpu_memory"), part, resources);
}

}  // namespace ym::spec
