#include "spec/gpu_request.h"

#include <fmt/format.h>

#include "model/cluster.h"
#include "spec/quantities.h"

namespace ym::spec {
namespace {

constexpr auto kMostDevices = static_cast<std::int64_t>(kMaxDevicesPerNode);

void read_whole_gpus(const Field& field, TaskResources& resources) {
  const auto read = read_gpus(field, kMostDevices);
  if (!read) return;
  resources.gpus = read->count * kMilli;
  resources.gpu_type = read->type;
}

void read_share(const Field& field, TaskResources& resources) {
  const auto text = read_scalar_text(field);
  if (!text) return;
  const auto [type, amount] = split_gpu_type(*text);
  const auto milli = parse_thousandths(amount);
  if (!milli || (text->contains(':') && !is_name(type)))
    return field.wrong(
        fmt::format("{} is not a share of a GPU; write for example 500m, 0.5 or \"t4:500m\"", quoted(*text)));
  if (*milli <= 0 || *milli >= kMilli)
    return field.wrong(fmt::format("{} is not between 1m and 999m; for whole GPUs write gpus", quoted(*text)));
  resources.gpus = *milli;
  resources.gpu_type = type;
}

void read_slices(const Field& field, TaskResources& resources) {
  const auto text = read_string(field);
  if (!text) return;
  // What stands first may be the type or the profile.
  auto slices = parse_slices(*text);
  if (!slices) {
    const auto [type, rest] = split_gpu_type(*text);
    if (is_name(type)) slices = parse_slices(rest);
    resources.gpu_type = type;
  }
  if (!slices)
    return field.wrong(fmt::format(
        "{} does not name MIG slices; write for example 1g.10gb, \"1g.10gb:2\" or \"h100:1g.10gb:2\"", quoted(*text)));
  if (slices->count < 1 || slices->count > kMostDevices)
    return field.wrong(fmt::format("{} is out of range; write 1 to {} slices", slices->count, kMostDevices));
  resources.profile = slices->profile;
  resources.slices = slices->count;
  resources.gpus = slices->count * *slice_milli(slices->profile);
}

void read_gpu_memory(const std::optional<Field>& field, const std::optional<Field>& share, TaskResources& resources) {
  if (!field && share) share->wrong("needs gpu_memory beside it: how much of that GPU's memory, for example 8GiB");
  if (!field) return;
  if (!share) return field->wrong("is for a gpu_share; who has whole GPUs or slices has all of their memory");
  if (const auto bytes = read_bytes(*field)) resources.gpu_memory_bytes = *bytes;
  if (resources.gpu_memory_bytes == 0) field->wrong("is 0; write how much of the GPU's memory is needed at most");
}

}  // namespace

void read_gpu_request(MapReader& map, TaskResources& resources) {
  const auto gpus = map.find("gpus"), share = map.find("gpu_share"), mig = map.find("mig");
  if (gpus) read_whole_gpus(*gpus, resources);
  if (share) {
    if (gpus) share->wrong("cannot stand beside gpus; write one of them");
    else read_share(*share, resources);
  }
  if (mig) {
    if (gpus || share)
      mig->wrong(fmt::format("cannot stand beside {}; write one of them", gpus ? "gpus" : "gpu_share"));
    else read_slices(*mig, resources);
  }
  read_gpu_memory(map.find("gpu_memory"), share, resources);
}

}  // namespace ym::spec
