// The engine's policy as a line of a recording: every setting, as a number or by its name.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "recording/lines.h"

namespace ym {
namespace {

namespace json = boost::json;

json::array rows_of(const std::vector<WasteTable::Row>& rows) {
  json::array array;
  for (const auto& row : rows)
    array.push_back({row.idle, static_cast<std::int64_t>(row.cpus.value_or(0)),
                     static_cast<std::int64_t>(row.memory.value_or(0)), row.waste_milli});
  return array;
}

json::value table_of(const WasteTable* table) {
  if (!table) return nullptr;
  const auto content = table->content();
  json::object costs;
  for (const auto& [type, cost] : content.type_cost_milli) costs[type] = cost;
  return json::object{{"cpus", content.usual.cpus},
                      {"memory_bytes", content.usual.memory_bytes},
                      {"shared", rows_of(content.shared)},
                      {"whole", rows_of(content.whole)},
                      {"type_cost", std::move(costs)}};
}

std::vector<WasteTable::Row> read_rows(const json::value& value) {
  std::vector<WasteTable::Row> rows;
  for (const auto& one : value.as_array()) {
    const auto at = [&](std::size_t column) { return one.as_array().at(column).to_number<std::int64_t>(); };
    rows.push_back({at(0), static_cast<std::size_t>(at(1)), static_cast<std::size_t>(at(2)), at(3)});
  }
  return rows;
}

std::shared_ptr<const WasteTable> read_table(const json::value& value) {
  if (value.is_null()) return nullptr;
  const auto& object = value.as_object();
  WasteTable::Content content{.usual = {.cpus = object.at("cpus").to_number<std::int64_t>(),
                                        .memory_bytes = object.at("memory_bytes").to_number<std::int64_t>()},
                              .shared = read_rows(object.at("shared")),
                              .whole = read_rows(object.at("whole"))};
  for (const auto& [type, cost] : object.at("type_cost").as_object())
    content.type_cost_milli[std::string(type)] = cost.to_number<std::int64_t>();
  return std::make_shared<const WasteTable>(content);
}

// What a name stands for; an unknown one is an exception, as a missing field is.
template <class Enum>
Enum known(const std::optional<Enum>& found) {
  if (!found) throw std::invalid_argument("a setting has a value that is not known");
  return *found;
}

engine::Policy read(const json::object& object) {
  const auto number = [&](const char* name) { return object.at(name).to_number<std::int64_t>(); };
  const auto duration = [&](const char* name) { return Duration{number(name)}; };
  const auto text = [&](const char* name) { return std::string_view(object.at(name).as_string()); };
  engine::Policy policy;
  policy.fair_share = known(parse_fair_share(text("fair_share")));
  policy.scoring = known(parse_scoring(text("scoring")));
  // Recordings of servers that had no choice do not say it.
  if (object.contains("flavor_choice")) policy.flavor_choice = known(parse_flavor_choice(text("flavor_choice")));
  policy.consolidation = known(parse_consolidation(text("consolidation")));
  policy.resizing = known(parse_resizing(text("resizing")));
  policy.waste_table = read_table(object.at("waste_table"));
  policy.resize_interval = duration("resize_interval_ms");
  policy.usage_kept = number("usage_kept");
  policy.age_cap = duration("age_cap_ms");
  policy.restart_cost = duration("restart_cost_ms");
  policy.reclaim_min_runtime_cap = duration("reclaim_min_runtime_cap_ms");
  policy.preemptions_per_hour = static_cast<std::int32_t>(number("preemptions_per_hour"));
  policy.start_allowance = duration("start_allowance_ms");
  policy.hold_margin = duration("hold_margin_ms");
  return policy;
}

}  // namespace

std::string LineWriter::policy(const engine::Policy& policy) {
  const json::object object{{"fair_share", to_string(policy.fair_share)},
                            {"scoring", to_string(policy.scoring)},
                            {"flavor_choice", to_string(policy.flavor_choice)},
                            {"consolidation", to_string(policy.consolidation)},
                            {"resizing", to_string(policy.resizing)},
                            {"waste_table", table_of(policy.waste_table.get())},
                            {"resize_interval_ms", policy.resize_interval.ms},
                            {"usage_kept", policy.usage_kept},
                            {"age_cap_ms", policy.age_cap.ms},
                            {"restart_cost_ms", policy.restart_cost.ms},
                            {"reclaim_min_runtime_cap_ms", policy.reclaim_min_runtime_cap.ms},
                            {"preemptions_per_hour", policy.preemptions_per_hour},
                            {"start_allowance_ms", policy.start_allowance.ms},
                            {"hold_margin_ms", policy.hold_margin.ms}};
  return fmt::format("{{\"policy\":{}}}\n", json::serialize(object));
}

Result<engine::Policy> read_policy(const json::value& value) {
  try {
    return read(value.as_object());
  } catch (const std::exception& error) {
    return fail(ErrorCode::corrupt, std::string("a policy cannot be read: ") + error.what());
  }
}

}  // namespace ym
