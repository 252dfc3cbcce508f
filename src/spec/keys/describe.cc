#include "spec/keys/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "model/keys/job.h"
#include "model/keys/queue.h"
#include "model/resources.h"
#include "spec/keys/cluster.h"
#include "spec/keys/read_job.h"

namespace ym::keys {
namespace {

namespace json = boost::json;

constexpr std::string_view kNamePattern = "^[A-Za-z0-9][A-Za-z0-9._-]*$";

json::value text(std::string_view value) { return json::string(value); }
json::object string_type() { return {{"type", "string"}}; }
// One of several ways to write a value.
json::object string_like(std::string_view meaning) { return {{"type", "string"}, {"description", text(meaning)}}; }
json::object whole(std::int64_t least, std::int64_t most) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}};
}
json::object any_of(json::array ways) { return {{"anyOf", std::move(ways)}}; }
json::object map_of(json::object properties, json::array required) {
  json::object schema{{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}
json::object scalar() { return {{"type", json::array{"string", "number", "boolean"}}}; }
json::object amount() {
  return any_of({json::object{{"type", "number"}, {"minimum", 0}}, string_like("In steps of 1m: \"0.5\", \"500m\".")});
}
json::object size(json::object number) {
  return any_of({std::move(number), string_like("With its unit: \"64GiB\", \"500MiB\".")});
}

std::string thousands(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = std::ssize(digits) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

std::string with_unit(std::string_view unit, std::string_view range) {
  return unit.empty() ? std::string(range) : fmt::format("{}, {}", unit, range);
}

}  // namespace

Description describe(Flag) { return {{{"type", "boolean"}}, "`true`, `false`"}; }
Description describe(Whole kind) {
  return {whole(kind.least, kind.most),
          with_unit(kind.unit, fmt::format("{} to {}", thousands(kind.least), thousands(kind.most)))};
}
Description describe(Span kind) {
  const std::string range = fmt::format("{} to {}", to_string(kind.least), to_string(kind.most));
  return {any_of({string_like(fmt::format("{}, written as \"90s\", \"15m\", \"1h30m\" or \"2d\".", range)),
                  json::object{{"type", "integer"}, {"minimum", 0}, {"description", "Seconds."}}}),
          fmt::format("time, {}", range)};
}
Description describe(Moment) { return {{{"type", "string"}, {"format", "date-time"}}, "time of day"}; }
Description describe(Amount kind) {
  return {amount(), with_unit(kind.unit.empty() ? "number" : kind.unit, "in steps of 1m")};
}
Description describe(Bytes kind) {
  if (kind.unit_wanted) return {size({{"const", 0}}), "size"};
  return {size({{"type", "integer"}, {"minimum", kind.least}}),
          kind.least == 0 ? "size" : fmt::format("size, at least {}", format_bytes(kind.least))};
}
Description describe(Name) {
  return {{{"type", "string"}, {"minLength", 1}, {"maxLength", 63}, {"pattern", text(kNamePattern)}}, "name"};
}
Description describe(Text kind) {
  auto schema = string_type();
  if (kind.most) schema["maxLength"] = *kind.most;
  return {schema, kind.most ? fmt::format("text, at most {} bytes", thousands(static_cast<std::int64_t>(*kind.most)))
                            : std::string("text")};
}
Description describe(Path) { return {{{"type", "string"}, {"pattern", "^/"}}, "absolute path"}; }
Description describe(Labels) { return {{{"type", "object"}, {"additionalProperties", scalar()}}, "map of labels"}; }
Description describe(LabelKey) { return {string_type(), "level"}; }
Description describe(NodeNames) {
  return {{{"type", "array"}, {"items", string_type()}}, "list of node names or patterns"};
}
Description describe(ProgramText) {
  json::object words{{"type", "array"}, {"items", scalar()}, {"minItems", 1}, {"maxItems", 4096}};
  return {any_of({std::move(words), string_type()}), "list of words, or a string"};
}
Description describe(Workdir) { return {{{"type", "string"}, {"maxLength", 4095}}, "path, at most 4,095 bytes"}; }
Description describe(Image) { return {{{"type", "string"}, {"maxLength", 512}}, "text, at most 512 characters"}; }
Description describe(Variables) {
  return {{{"type", "object"}, {"additionalProperties", scalar()}, {"maxProperties", 1000}},
          "map of text, at most 1,000 variables and 128 KiB"};
}
Description describe(RetryLimit kind) {
  json::array ways{whole(0, 1000)};
  if (kind.may_be_unlimited) ways.push_back(json::object{{"const", "unlimited"}});
  const json::object limit = any_of(ways);
  ways.push_back(map_of({{"max", limit}}, {}));
  return {any_of(std::move(ways)), kind.may_be_unlimited ? "0 to 1,000, or `unlimited`" : "0 to 1,000"};
}
Description describe(Place) {
  return {{{"type", "string"}, {"minLength", 1}, {"maxLength", 4095}}, "path or URL, at most 4,095 bytes"};
}
Description describe(NodeCount) {
  const auto count = whole(1, 10'000);
  return {any_of({count, map_of({{"min", count}, {"max", count}}, {"min", "max"})}), "1 to 10,000, or `{min, max}`"};
}
Description describe(MemberCount) {
  const auto count = whole(1, 10'000);
  return {any_of({count, map_of({{"count", count}, {"parallel", count}}, {"count"})}),
          "1 to 10,000, or `{count, parallel}`"};
}
Description describe(GpuCount) {
  constexpr std::string_view kTyped =
      "^([A-Za-z0-9][A-Za-z0-9._-]*:)?[0-9]+( *\\| *[A-Za-z0-9][A-Za-z0-9._-]*:[0-9]+)*$";
  json::object typed = string_like("With a type: \"t4:2\". Either type: \"h100:8 | a100:8\".");
  typed["pattern"] = text(kTyped);
  return {any_of({whole(0, 64), std::move(typed)}), "GPUs, 0 to 64, or `\"TYPE:N\"`; alternatives with `|`"};
}
Description describe(GpuShare) {
  return {any_of({json::object{{"type", "number"}, {"exclusiveMinimum", 0}, {"exclusiveMaximum", 1}},
                  string_like("In steps of 1m: \"500m\". With a type: \"t4:500m\".")}),
          "part of one GPU, 1m to 999m, or `\"TYPE:500m\"`"};
}
Description describe(Slices) {
  constexpr std::string_view kProfile =
      "^([A-Za-z0-9][A-Za-z0-9._-]*:)?[1-7]g\\.[0-9]{1,4}gb([+-][a-z0-9.]+)?(:[0-9]+)?( *\\|.*)?$";
  return {{{"type", "string"}, {"pattern", text(kProfile)}}, "profile, 1 to 64 slices"};
}
Description describe(Signal) {
  Description words = description_of_words(kSignals);
  for (const std::string_view signal : kSignals) words.schema["enum"].as_array().push_back(text(signal.substr(3)));
  return words;
}
Description describe(GroupList) {
  Description list = description_of_list(describe(MapOf<TaskGroup>{}), "groups", kMostGroups);
  list.schema["minItems"] = 2;
  list.type = fmt::format("list of 2 to {} groups", kMostGroups);
  return list;
}
Description describe(RunLimits) {
  Description limits = describe(MapOf<RunLimit>{});
  limits.schema["properties"].as_object()["per_user"] = limits.schema;
  return {std::move(limits.schema), "`{jobs, gpus, per_user}`"};
}
Description describe(Delegation) { return description_of_words(std::array<std::string_view, 2>{"ours", "delegated"}); }
Description describe(QuotaByFlavor) {
  const json::object limits = map_of({{"nominal", amount()}, {"borrow", amount()}, {"lend", amount()}}, {"nominal"});
  const auto amounts = any_of({json::object{{"type", "number"}, {"minimum", 0}}, string_type(), limits});
  return {{{"type", "object"},
           {"additionalProperties", map_of({{"gpus", amounts}, {"cpus", amounts}, {"memory", amounts}}, {})}},
          "map by flavor"};
}
Description describe(ChildQueues) {
  return {{{"type", "array"}, {"items", json::object{{"type", "object"}}}}, "list of queues"};
}
Description describe(Reservations) {
  return {any_of({whole(0, 1'000'000), json::object{{"const", "all"}}}), "0 to 1,000,000, or `all`"};
}
Description describe(LowestPriority) {
  return {map_of({{"max_priority", whole(0, 100)}}, {"max_priority"}), "`{max_priority: 0 to 100}`"};
}
Description describe(GpuHours) { return {amount(), "GPU-hours, at most 1,000,000,000"}; }
Description describe(Money) { return {amount(), "money, at most 1,000,000,000"}; }
Description describe(Price) { return {amount(), "money, 0 to 1,000,000, six decimals"}; }
Description describe(GpuType) { return {string_type(), "GPU type"}; }
Description describe(NewNodes) { return describe(MapOf<Node>{}); }
Description describe(ExecutorName) { return description_of_words(kExecutors); }
Description describe(ScopeText) { return {string_type(), "scope"}; }
Description describe(GranteeText) { return {string_type(), "name, or `group:NAME`"}; }
Description describe(WebAddress) { return {string_type(), "`https://` URL; on this machine `http://`, too"}; }
Description describe(ClaimPointer) { return {string_type(), "JSON pointer"}; }
Description describe(Claims) {
  return {{{"type", "object"}, {"minProperties", 1}, {"additionalProperties", string_type()}},
          "map of claims to their texts"};
}
Description describe(NodePattern) { return {string_type(), "pattern, at most 100,000 names in all"}; }
Description describe(NodeGpus) {
  json::object typed = string_like("With a type: \"t4:4\".");
  typed["pattern"] = text("^([A-Za-z0-9][A-Za-z0-9._-]*:)?[0-9]+$");
  return {any_of({whole(0, std::int64_t{kMaxDevicesPerNode}), std::move(typed)}), "GPUs, 0 to 64, or `\"TYPE:N\"`"};
}
Description describe(NodeSlices) {
  return {
      any_of({string_like("Of one profile: \"1g.5gb:4\"."), json::object{{"type", "array"}, {"items", string_type()}}}),
      "slices, or a list of them"};
}

Description description_of_words(std::span<const std::string_view> words) {
  json::array names;
  std::string type;
  for (std::size_t i = 0; i < words.size(); ++i) {
    names.push_back(text(words[i]));
    type += fmt::format("{}`{}`", i == 0 ? "" : ", ", words[i]);
  }
  return {{{"type", "string"}, {"enum", std::move(names)}}, std::move(type)};
}

Description description_of_list(Description item, std::string_view what, std::size_t most) {
  Description list{{{"type", "array"}, {"items", std::move(item.schema)}}, fmt::format("list of {}", what)};
  if (most == 0) return list;
  list.schema["maxItems"] = most;
  list.type += fmt::format(", at most {}", thousands(static_cast<std::int64_t>(most)));
  return list;
}

// A table with a long list of names is hard to read.
Description description_of_keys(const std::vector<KeyRow>& keys) {
  constexpr std::size_t kMostNamed = 8;
  if (keys.size() > kMostNamed) return {schema_of(keys), "map"};
  std::string names;
  for (const KeyRow& key : keys) names += (names.empty() ? "`{" : ", ") + key.name;
  return {schema_of(keys), names + "}`"};
}

json::object schema_of(const std::vector<KeyRow>& keys) {
  json::object properties;
  json::array required;
  for (const KeyRow& key : keys) {
    json::object schema = key.description.schema;
    schema["description"] = text(without_links(key.about.meaning));
    if (!key.default_value.is_null()) schema["default"] = key.default_value;
    if (key.secret) schema["writeOnly"] = true;
    properties[key.name] = std::move(schema);
    if (key.required) required.push_back(text(key.name));
  }
  return map_of(std::move(properties), std::move(required));
}

namespace {

std::string escaped(std::string text) {
  for (auto at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) text.insert(at, "\\");
  return text;
}

void add_row(std::string& table, const KeyRow& key, const std::string& name) {
  const std::string example = key.about.example.empty() ? "" : fmt::format("`{}`", key.about.example);
  table += fmt::format("| `{}` | {} | {} | {} | {} |\n", name, escaped(key.description.type), escaped(key.by_default),
                       escaped(std::string(key.about.meaning)), escaped(example));
}

// A map of keys gets a row of its own if its meaning or its default says more than the rows of its keys. If the
// defaults of its keys have another source, its keys get no rows.
void add_rows(std::string& table, const KeyRow& key, const std::string& prefix) {
  const std::string name = prefix + key.name;
  const bool is_heading = !key.keys.empty() && key.about.example.empty();
  if (!is_heading) add_row(table, key, name);
  if (!key.about.otherwise.empty()) return;
  for (const KeyRow& inner : key.keys) add_rows(table, inner, name + ".");
}

}  // namespace

std::string guide_table(const std::vector<KeyRow>& keys, const std::vector<std::string>& names) {
  std::string table = "| key | type and unit | default | meaning | example |\n| --- | --- | --- | --- | --- |\n";
  for (const std::string& name : names) {
    const auto key = std::ranges::find(keys, name, &KeyRow::name);
    YM_ASSERT(key != keys.end());
    add_rows(table, *key, "");
  }
  return table;
}

namespace {

// "See types."
std::string without_pointers(std::string text) {
  for (auto at = text.find("See "); at != std::string::npos; at = text.find("See ", at)) {
    const auto end = text.find('.', at);
    if (end == std::string::npos) return text;
    const auto begin = at == 0 ? at : at - 1;
    text.erase(begin, end + 1 - begin);
    at = begin;
  }
  return text;
}

}  // namespace

std::string without_links(std::string_view markdown) {
  std::string plain;
  for (std::string_view rest = markdown; !rest.empty();) {
    const auto open = rest.find('['), middle = rest.find("](", open), close = rest.find(')', middle);
    const bool is_link =
        open != std::string_view::npos && middle != std::string_view::npos && close != std::string_view::npos;
    if (!is_link) return without_pointers(std::move(plain.append(rest)));
    plain.append(rest.substr(0, open)).append(rest.substr(open + 1, middle - open - 1));
    rest.remove_prefix(close + 1);
  }
  return without_pointers(std::move(plain));
}

}  // namespace ym::keys
