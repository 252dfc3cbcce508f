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
struct Look {
  boost::json::object schema;  // JSON Schema of what may be written
  std::string type;            // the same for people: "time, 0 to 1h"
};

// A row of a table. A section is a row with keys of its own.
struct KeyRow {
  std::string name;
  Look look;
  About about;
  bool required = false;
  bool secret = false;
  std::vector<KeyRow> keys{};

  std::string by_default{};            // what holds where it is left out, for people
  boost::json::value default_value{};  // the same as a value; null: there is none, or only words for it
};

Look look(Flag);
Look look(Whole kind);
Look look(Span kind);
Look look(Moment);
Look look(Amount kind);
Look look(Bytes kind);
Look look(Name);
Look look(Text kind);
Look look(Path);
Look look(Labels);
Look look(LabelKey);
Look look(NodeNames);
Look look(ProgramText);
Look look(Workdir);
Look look(Image);
Look look(Variables);
Look look(RetryLimit kind);
Look look(Signal);
Look look(Place);
Look look(NodeCount);
Look look(MemberCount);
Look look(GroupList);
Look look(GpuCount);
Look look(GpuShare);
Look look(Slices);
Look look(QuotaByFlavor);
Look look(ChildQueues);
Look look(Reservations);
Look look(LowestPriority);
Look look(RunLimits);
Look look(GpuHours);
Look look(Money);
Look look(Price);
Look look(GpuType);
Look look(NewNodes);
Look look(ExecutorName);
Look look(NodePattern);
Look look(NodeGpus);
Look look(NodeSlices);
Look look(struct Delegation);
Look look_of_words(std::span<const std::string_view> words);
Look look_of_list(Look item, std::string_view what, std::size_t most);
// Of a struct with keys of its own.
Look look_of_keys(const std::vector<KeyRow>& keys);

template <NamedEnum E>
Look look(OneOf<E>) {
  constexpr auto kNames = names_of_values<E>();
  return look_of_words(kNames);
}
template <Listed T>
std::vector<KeyRow> rows_of_keys();
template <Listed T>
Look look(MapOf<T>) {
  return look_of_keys(rows_of_keys<T>());
}
template <class Kind>
Look look(ListOf<Kind> kind) {
  return look_of_list(look(kind.item), kind.what, kind.most);
}
template <class Kind>
Look look(ByHand<Kind> kind) {
  return look(kind.kind);
}

struct RowCollector {
  std::vector<KeyRow> rows{};

  template <class Owner, class Member, class Kind>
  void operator()(const Key<Owner, Member, Kind>& key) {
    rows.push_back({.name = std::string(key.name),
                    .look = look(key.kind),
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
    rows.back().by_default = shown(setting.by_default);
  }
  template <class Kind>
  void operator()(const Form<Kind>& form) {
    rows.push_back({.name = std::string(form.name),
                    .look = look(form.kind),
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
                    .look = look_of_keys(inner.rows),
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
