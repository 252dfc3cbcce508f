#include "executor/local/devices/device_book.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "executor/local/attempt/process.h"
#include "executor/local/attempt/record.h"
#include "model/resources.h"

namespace ym::local {
namespace {

constexpr const char* kKind = "devices";
constexpr std::int64_t kSlackBytes = kGiB;  // a process that computes takes some 100 MiB before its first byte

// "MEMORY IN_USE UNCLEAN PID..."
std::string state_of(const KnownGpu& known) {
  return fmt::format("{} {:d} {:d} {}", known.before.memory_bytes, known.in_use, known.unclean,
                     fmt::join(known.before.processes, " "));
}

constexpr std::string_view kNone = "-";

// "MEMORY PROFILE PART_OF"
std::string shape_of(const Gpu& gpu) {
  const auto word = [](const std::string& text) { return text.empty() ? kNone : std::string_view(text); };
  return fmt::format("{} {} {}", gpu.memory_bytes, word(gpu.profile), word(gpu.part_of));
}

void read_shape(const std::string& text, Gpu& gpu) {
  std::istringstream words(text);
  words >> gpu.memory_bytes >> gpu.profile >> gpu.part_of;
  for (auto* word : {&gpu.profile, &gpu.part_of})
    if (*word == kNone) word->clear();
}

void read_state(const std::string& text, KnownGpu& known) {
  std::istringstream words(text);
  words >> known.before.memory_bytes >> known.in_use >> known.unclean;
  for (std::int64_t pid = 0; words >> pid;) known.before.processes.insert(pid);
}

}  // namespace

std::string encode(const DeviceBook& book) {
  Record record{kKind};
  record.add("boot", boot_id());
  for (const auto& [index, known] : book) {
    record.add("index", index);
    record.add("uuid", known.gpu.uuid);
    record.add("name", known.gpu.name);
    record.add("shape", shape_of(known.gpu));
    record.add("state", state_of(known));
  }
  return record.encode();
}

Result<DeviceBook> decode_devices(std::string_view text) {
  const auto record = Record::decode(text, kKind);
  if (!record) return std::unexpected(record.error());
  const auto index = record->all("index"), uuid = record->all("uuid"), name = record->all("name"),
             state = record->all("state"), shape = record->all("shape");
  if (index.size() != uuid.size() || index.size() != name.size() || index.size() != state.size() ||
      (!shape.empty() && index.size() != shape.size()))  // an older server wrote no shapes
    return fail(ErrorCode::corrupt, "the record of the devices is incomplete");
  DeviceBook book;
  for (std::size_t i = 0; i < index.size(); ++i) {
    auto& known = book[index[i]];
    known.gpu = {.index = index[i], .uuid = uuid[i], .name = name[i]};
    if (!shape.empty()) read_shape(shape[i], known.gpu);
    if (record->text("boot") == boot_id()) read_state(state[i], known);
  }
  return book;
}

bool is_clean(const GpuUse& now, const GpuUse& before) {
  return std::ranges::includes(before.processes, now.processes) &&
         now.memory_bytes <= before.memory_bytes + kSlackBytes;
}

}  // namespace ym::local
