#include "sim/policies/placement/waste_table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace ym::sim::placement {
namespace {

std::string step_text(const std::optional<std::size_t>& step) { return step ? fmt::format("{}", *step) : "null"; }

std::string rows_text(const std::vector<WasteTable::Row>& rows) {
  std::string text;
  for (const WasteTable::Row& row : rows)
    text += fmt::format("{}\n  [{}, {}, {}, {}]", text.empty() ? "" : ",", row.idle, step_text(row.cpus),
                        step_text(row.memory), row.waste_milli);
  return text;
}

std::string costs_text(const WasteTable::Content& content) {
  std::string text;
  for (const auto& [type, cost] : content.type_cost_milli) {
    std::string name = type;
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    text += fmt::format("{}\"{}\": {}", text.empty() ? "" : ", ", name, cost);
  }
  return text;
}

}  // namespace

std::string waste_table_text(const WasteTable::Content& content) {
  return fmt::format(
      "{{\"usual\": {{\"cpus\": {}, \"memory\": \"{}MiB\"}},\n\"type_cost\": {{{}}},\n\"shared\": [{}],\n\"whole\": "
      "[{}]}}\n",
      static_cast<double>(content.usual.cpus) / static_cast<double>(kMilli), content.usual.memory_bytes >> 20,
      costs_text(content), rows_text(content.shared), rows_text(content.whole));
}

}  // namespace ym::sim::placement
