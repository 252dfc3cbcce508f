// Shows structs by their key tables (model/keys/key.h), in the syntax that users write. The output can be read back.
#pragma once

#include <tuple>

#include "api/json/writer.h"
#include "model/job_spec.h"
#include "model/keys/job.h"
#include "model/keys/policy.h"
#include "model/keys/queue.h"

namespace ym::keys {

using api::JsonWriter;

inline void write(JsonWriter& json, bool value, Flag) { json.value(value); }
inline void write(JsonWriter& json, std::int64_t value, Whole) { json.value(value); }
inline void write(JsonWriter& json, Duration value, Span) { json.value(to_string(value)); }
inline void write(JsonWriter& json, Instant value, Moment) { json.value(value); }
inline void write(JsonWriter& json, std::int64_t value, Amount) { json.thousandths(value); }
// In the largest unit that holds it exactly.
void write(JsonWriter& json, std::int64_t value, Bytes);
template <NamedEnum E>
void write(JsonWriter& json, E value, OneOf<E>) {
  json.value(to_string(value));
}
template <class Kind>
  requires(std::is_same_v<Kind, Name> || std::is_same_v<Kind, Text> || std::is_same_v<Kind, LabelKey> ||
           std::is_same_v<Kind, Workdir> || std::is_same_v<Kind, Image> || std::is_same_v<Kind, Signal> ||
           std::is_same_v<Kind, Place>)
void write(JsonWriter& json, const std::string& value, Kind) {
  json.value(value);
}
void write(JsonWriter& json, const std::map<std::string, std::string>& value, Labels);
void write(JsonWriter& json, const std::map<std::string, std::string>& value, Variables);
void write(JsonWriter& json, const std::vector<std::string>& value, NodeNames);
void write(JsonWriter& json, const Program& value, ProgramText);
void write(JsonWriter& json, std::int32_t value, RetryLimit);
void write(JsonWriter& json, std::int32_t value, Reservations);
void write(JsonWriter& json, std::int32_t value, LowestPriority);
void write(JsonWriter& json, const std::optional<QuotaList>& value, QuotaByFlavor);
template <Listed T>
void write(JsonWriter& json, const T& value, MapOf<T>);
template <class T, class Kind>
void write(JsonWriter& json, const std::vector<T>& values, ListOf<Kind> kind) {
  json.begin_array();
  for (const T& value : values) write(json, value, kind.item);
  json.end_array();
}
template <class T, class Kind>
void write(JsonWriter& json, const std::optional<T>& value, Kind kind) {
  if (value) write(json, *value, kind);
  else json.value(nullptr);
}
template <class T, class Kind>
void write(JsonWriter& json, const Boxed<T>& value, Kind kind) {
  write(json, *value, kind);
}

// The kind itself, for a kind that may be marked as ByHand.
template <class Kind>
Kind plain(Kind kind) {
  return kind;
}
template <class Kind>
Kind plain(ByHand<Kind> kind) {
  return kind.kind;
}

// An entry that stands for several members writes its own keys, or none.
void write_form(JsonWriter& json, const JobSpec& spec, const Form<NodeCount>& form);
void write_form(JsonWriter& json, const JobSpec& spec, const Form<ByHand<MapOf<TaskResources>>>& form);
void write_form(JsonWriter& json, const JobSpec& spec, const Form<ByHand<GroupList>>& form);
void write_form(JsonWriter& json, const JobSpec& spec, const Form<MemberCount>& form);
void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<GpuCount>>& form);
void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<GpuShare>>& form);
void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<Bytes>>& form);
void write_form(JsonWriter& json, const TaskResources& resources, const Form<ByHand<Slices>>& form);
void write_form(JsonWriter& json, const Budget& budget, const Form<ByHand<GpuHours>>& form);
void write_form(JsonWriter& json, const Budget& budget, const Form<ByHand<Money>>& form);
void write_form(JsonWriter& json, const Queue& queue, const Form<RunLimits>& form);
inline void write_form(JsonWriter&, const Queue&, const Form<ByHand<ChildQueues>>&) {}

// Writes the keys of one map, without its brackets.
template <class Owner>
struct KeyWriter {
  JsonWriter& json;
  const Owner& owner;

  template <class Member, class Kind>
  void operator()(const Key<Owner, Member, Kind>& key) const {
    if (!shows(key)) return;
    json.key(key.name);
    const bool empty = owner.*key.member == Member{};
    if (key.traits.shown == Shown::null_if_empty && empty) json.value(nullptr);
    else write(json, owner.*key.member, plain(key.kind));
  }
  template <class Kind>
  void operator()(const Form<Kind>& form) const {
    write_form(json, owner, form);
  }
  template <class Member>
  void operator()(const Kept<Owner, Member>&) const {}
  void operator()(const Former&) const {}
  template <class... Entries>
  void operator()(const Section<Entries...>& section) const {
    if (section.shown == Shown::if_set && !shows_any(section.entries)) return;
    json.key(section.name).begin_object();
    (*this)(section.entries);
    json.end_object();
  }
  template <class... Entries>
  void operator()(const std::tuple<Entries...>& entries) const {
    std::apply([&](const auto&... entry) { ((*this)(entry), ...); }, entries);
  }

 private:
  template <class Member, class Kind>
  bool shows(const Key<Owner, Member, Kind>& key) const {
    if (key.traits.shown == Shown::if_set) return owner.*key.member != Member{};
    return key.traits.shown != Shown::apart;
  }
  static bool shows(const Former&) { return false; }
  template <class... Entries>
  bool shows_any(const std::tuple<Entries...>& entries) const {
    return std::apply([&](const auto&... entry) { return (shows(entry) || ...); }, entries);
  }
};

template <Listed T>
void write_keys(JsonWriter& json, const T& value) {
  KeyWriter<T>{json, value}(Keys<T>::list);
}
template <Listed T>
void write(JsonWriter& json, const T& value, MapOf<T>) {
  json.begin_object();
  write_keys(json, value);
  json.end_object();
}
// One section of a struct, without brackets.
template <Listed T>
void write_section(JsonWriter& json, const T& value, std::string_view name) {
  const auto write_if_named = [&]<class Entry>(const Entry& entry) {
    if constexpr (requires { entry.entries; })
      if (entry.name == name) KeyWriter<T>{json, value}(entry.entries);
  };
  std::apply([&](const auto&... entry) { (write_if_named(entry), ...); }, Keys<T>::list);
}

}  // namespace ym::keys
