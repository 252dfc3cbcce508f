#include "spec/waste_table_decoder.h"

#include "spec/quantities.h"

namespace ym::spec {
namespace {

constexpr std::int64_t kMostIdleShare = 99;
constexpr std::int64_t kMostWaste = static_cast<std::int64_t>(kMaxDevicesPerNode) * kMilli;

std::optional<std::size_t> read_step(const Field& field) {
  if (field.value->kind == Value::Kind::null) return std::nullopt;
  const auto step = read_whole_number(field, 0, static_cast<std::int64_t>(WasteTable::kStepCount) - 1);
  return step ? std::optional(static_cast<std::size_t>(*step)) : std::nullopt;
}

void read_rows(const Field& field, std::int64_t most_idle, std::vector<WasteTable::Row>& rows) {
  const auto items = read_list(field, "rows");
  for (const Field& item : items.value_or(std::vector<Field>())) {
    const auto parts = read_list(item, "numbers");
    if (!parts) continue;
    if (parts->size() != 4) {
      item.wrong("is not [idle, CPU step or null, memory step or null, waste in thousandths of a GPU]");
      continue;
    }
    const auto idle = read_whole_number((*parts)[0], 1, most_idle);
    const auto waste = read_whole_number((*parts)[3], 0, kMostWaste);
    const auto cpus = read_step((*parts)[1]), memory = read_step((*parts)[2]);
    if (idle && waste) rows.push_back({.idle = *idle, .cpus = cpus, .memory = memory, .waste_milli = *waste});
  }
}

void read_usual(const Field& field, WasteTable::Usual& usual) {
  MapReader map(field);
  const auto set = [](const Field& of, std::int64_t& own, std::optional<std::int64_t> read) {
    if (read && *read == 0) return of.wrong("is 0; write what a GPU usually gets");
    own = read.value_or(own);
  };
  if (const auto cpus = map.find("cpus")) set(*cpus, usual.cpus, read_cpus(*cpus));
  if (const auto memory = map.find("memory")) set(*memory, usual.memory_bytes, read_bytes(*memory));
  map.finish();
}

}  // namespace

WasteTable::Content read_waste_table(const Field& field) {
  WasteTable::Content content;
  MapReader map(field);
  if (const auto usual = map.find("usual")) read_usual(*usual, content.usual);
  if (const auto rows = map.require("shared", "write what is expected of GPUs that are shared, maybe []"))
    read_rows(*rows, kMostIdleShare, content.shared);
  if (const auto rows = map.require("whole", "write what is expected of whole GPUs, maybe []"))
    read_rows(*rows, static_cast<std::int64_t>(kMaxDevicesPerNode), content.whole);
  if (const auto costs = map.find("type_cost")) {
    const auto entries = read_entries(*costs);
    for (const auto& [type, cost] : entries.value_or(std::vector<std::pair<std::string, Field>>()))
      if (const auto milli = read_whole_number(cost, 0, kMostWaste)) content.type_cost_milli[type] = *milli;
  }
  map.finish();
  return content;
}

}  // namespace ym::spec
