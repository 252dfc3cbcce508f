// Describes structs by their key tables (model/keys/key.h): for the schema of editors and of OpenAPI, and for the
// tables of the guide.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/enum_names.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"

namespace ym::keys {

// What a kind of value looks like.
struct Description {
  boost::json::object schema;  // JSON Schema of what may be written
  std::string type;            // the same for people: "time, 0 to 1h"
};

// A row of a table. A section is a row with keys of its own.
struct KeyRow {
  std::string name;
  Description description;
  About about;
  bool required = false;
  bool secret = false;
  std::vector<KeyRow> keys{};

  std::string by_default{};            // what holds where it is left out, for people
  boost::json::value default_value{};  // the same as a value; null: there is none, or only words for it
};

Description describe(Flag);
Description describe(Whole kind);
Description describe(Span kind);
Description describe(Moment);
Description describe(Amount kind);
Description describe(Bytes kind);
Description describe(Name);
Description describe(Text kind);
Description describe(Path);
Description describe(Labels);
Description describe(LabelKey);
Description describe(NodeNames);
Description describe(ProgramText);
Description describe(Workdir);
Description describe(Image);
Description describe(Variables);
Description describe(RetryLimit kind);
Description describe(Signal);
Description describe(Place);
Description describe(NodeCount);
Description describe(MemberCount);
Description describe(GroupList);
Description describe(GpuCount);
Description describe(GpuShare);
Description describe(Slices);
Description describe(QuotaByFlavor);
Description describe(ChildQueues);
Description describe(Reservations);
Description describe(LowestPriority);
Description describe(RunLimits);
Description describe(GpuHours);
Description describe(Money);
Description describe(Price);
Description describe(GpuType);
Description describe(NewNodes);
Description describe(ExecutorName);
Description describe(NodePattern);
Description describe(ScopeText);
Description describe(GranteeText);
Description describe(WebAddress);
Description describe(ClaimPointer);
Description describe(Claims);
Description describe(NodeGpus);
Description describe(NodeSlices);
Description describe(struct Delegation);
Description description_of_words(std::span<const std::string_view> words);
Description description_of_list(Description item, std::string_view what, std::size_t most);
// Of a struct with keys of its own.
Description description_of_keys(const std::vector<KeyRow>& keys);

template <NamedEnum E>
Description describe(OneOf<E>) {
  constexpr auto kNames = names_of_values<E>();
  return description_of_words(kNames);
}
template <Listed T>
std::vector<KeyRow> rows_of_keys();
template <Listed T>
Description describe(MapOf<T>) {
  return description_of_keys(rows_of_keys<T>());
}
template <class Kind>
Description describe(ListOf<Kind> kind) {
  return description_of_list(describe(kind.item), kind.what, kind.most);
}
template <class Kind>
Description describe(ByHand<Kind> kind) {
  return describe(kind.kind);
}

struct RowCollector {
  std::vector<KeyRow> rows{};

  template <class Owner, class Member, class Kind>
  void operator()(const Key<Owner, Member, Kind>& key) {
    rows.push_back({.name = std::string(key.name),
                    .description = describe(key.kind),
                    .about = key.about,
                    .required = !key.traits.required.empty(),
                    .secret = key.traits.secret,
                    .keys = keys_within(key.kind),
                    .by_default = !key.traits.required.empty()   ? "required"
                                  : !key.about.otherwise.empty() ? std::string(key.about.otherwise)
                                                                 : shown(Owner{}.*key.member)});
    if (key.traits.required.empty() && key.about.otherwise.empty())
      rows.back().default_value = value_of(Owner{}.*key.member);
  }
  template <class Owner, class Value, class Kind>
  void operator()(const Setting<Owner, Value, Kind>& setting) {
    (*this)(static_cast<const Key<Owner, std::optional<Value>, Kind>&>(setting));
    if constexpr (std::is_same_v<Kind, Bytes>) rows.back().by_default = format_bytes(setting.by_default);
    else rows.back().by_default = shown(setting.by_default);
  }
  template <class Kind>
  void operator()(const Form<Kind>& form) {
    rows.push_back({.name = std::string(form.name),
                    .description = describe(form.kind),
                    .about = form.about,
                    .keys = keys_within(form.kind),
                    .by_default = form.about.otherwise.empty() ? "none" : std::string(form.about.otherwise)});
  }
  template <class Owner, class Member>
  void operator()(const Kept<Owner, Member>&) {}
  template <class Owner, class Member>
  void operator()(const Part<Owner, Member>&) {
    (*this)(Keys<Member>::list);
  }
  void operator()(const Former&) {}
  template <class... Entries>
  void operator()(const Section<Entries...>& section) {
    RowCollector inner;
    inner(section.entries);
    rows.push_back({.name = std::string(section.name),
                    .description = description_of_keys(inner.rows),
                    .about = {.meaning = section.meaning},
                    .keys = std::move(inner.rows),
                    .by_default = "none"});
  }
  template <class... Entries>
  void operator()(const std::tuple<Entries...>& entries) {
    std::apply([&](const auto&... entry) { ((*this)(entry), ...); }, entries);
  }

 private:
  // A default as it is written.
  static std::string shown(bool value) { return value ? "`true`" : "`false`"; }
  static std::string shown(std::int32_t value) { return std::to_string(value); }
  static std::string shown(std::int64_t value) { return std::to_string(value); }
  static std::string shown(Duration value) { return to_string(value); }
  static std::string shown(const std::string& value) { return value.empty() ? "none" : "`" + value + "`"; }
  template <class T>
  static std::string shown(const T& value) {
    if constexpr (NamedEnum<T>) return "`" + std::string(to_string(value)) + "`";
    else return "none";
  }

  template <class T>
  static boost::json::value value_of(const T& value) {
    if constexpr (std::is_same_v<T, Duration> || NamedEnum<T>) return boost::json::string(to_string(value));
    else if constexpr (std::is_integral_v<T>) return boost::json::value(value);
    else return nullptr;
  }

  template <class Kind>
  static std::vector<KeyRow> keys_within(const Kind&) {
    return {};
  }
  template <class T>
  static std::vector<KeyRow> keys_within(const MapOf<T>&) {
    return rows_of_keys<T>();
  }
  template <class Kind>
  static std::vector<KeyRow> keys_within(const ByHand<Kind>& kind) {
    return keys_within(kind.kind);
  }
};

template <Listed T>
std::vector<KeyRow> rows_of_keys() {
  RowCollector collector;
  collector(Keys<T>::list);
  return std::move(collector.rows);
}

// JSON Schema (2020-12) of the whole struct: an object without other keys.
boost::json::object schema_of(const std::vector<KeyRow>& keys);

// A Markdown table of these keys, in this order: "key | type and unit | default | meaning | example". A key that is a
// map of keys has a row for each of them: `retry.infra`. Precondition: there are keys of these names.
std::string guide_table(const std::vector<KeyRow>& keys, const std::vector<std::string>& names);

// For readers who do not have the guide: without links, and without sentences that only point to another place of it.
// "Whole [GPUs](#gpus). See [types](#types-of-gpus)." -> "Whole GPUs."
std::string without_links(std::string_view markdown);

}  // namespace ym::keys
