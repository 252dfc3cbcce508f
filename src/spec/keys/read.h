// Reads structs by their key tables (model/keys/key.h): read_struct(field, value) takes over what the map says, leaves
// what it does not say as it was, and reports all that is wrong, unknown keys with a suggestion.
//
// Each kind of value has a `read` here: a checked value, or nothing and a problem. A struct that needs more than its
// values one by one (defaults that depend on others, checks across keys) has a `read_into` of its own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "base/enum_names.h"
#include "model/access/scope.h"
#include "model/job_spec.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"
#include "spec/text/field.h"

namespace ym::keys {

using spec::Field;
using spec::MapReader;

std::optional<bool> read(const Field& field, Flag);
std::optional<std::int64_t> read(const Field& field, Whole kind);
std::optional<Duration> read(const Field& field, Span kind);
std::optional<Instant> read(const Field& field, Moment);
std::optional<std::int64_t> read(const Field& field, Amount);
std::optional<std::int64_t> read(const Field& field, Bytes kind);
std::optional<std::string> read(const Field& field, Name);
std::optional<std::string> read(const Field& field, Text kind);
std::optional<std::string> read(const Field& field, Path);
std::optional<std::map<std::string, std::string>> read(const Field& field, Labels);
std::optional<std::string> read(const Field& field, LabelKey);
std::optional<std::vector<std::string>> read(const Field& field, NodeNames);
std::optional<Program> read(const Field& field, ProgramText);
std::optional<std::string> read(const Field& field, Image);
std::optional<std::map<std::string, std::string>> read(const Field& field, Variables);
std::optional<std::int64_t> read(const Field& field, RetryLimit kind);
std::optional<std::string> read(const Field& field, Signal);
std::optional<std::string> read(const Field& field, Place);
std::optional<std::int64_t> read(const Field& field, Reservations);
std::optional<std::int64_t> read(const Field& field, LowestPriority);
std::optional<std::int64_t> read(const Field& field, Price);
std::optional<std::string> read(const Field& field, GpuType);
std::optional<std::string> read(const Field& field, ExecutorName);
std::optional<std::vector<std::string>> read(const Field& field, NodePattern);
std::optional<Scope> read(const Field& field, ScopeText);
std::optional<std::string> read(const Field& field, GranteeText);
std::optional<std::string> read(const Field& field, WebAddress);
std::optional<std::string> read(const Field& field, ClaimPointer);
std::optional<std::map<std::string, std::string>> read(const Field& field, Claims);

// Index of a word in the list of known words.
std::optional<std::size_t> read_word(const Field& field, std::span<const std::string_view> words);
template <NamedEnum E>
std::optional<E> read(const Field& field, OneOf<E>) {
  constexpr auto kNames = names_of_values<E>();
  const auto place = read_word(field, kNames);
  return place ? std::optional(static_cast<E>(*place)) : std::nullopt;
}

void refuse_more_than(const Field& field, std::size_t most, std::string_view what);
// The value, if it could be read.
template <class Member, class Value>
void put(Member& member, std::optional<Value> value) {
  if (!value) return;
  if constexpr (std::is_arithmetic_v<Member>) member = static_cast<Member>(*value);
  else if constexpr (std::is_same_v<Member, std::optional<std::int32_t>>) member = static_cast<std::int32_t>(*value);
  else member = std::move(*value);
}

template <class Member, class Kind>
void read_into(const Field& field, Member& member, Kind kind) {
  put(member, read(field, kind));
}
template <Listed T>
void read_struct(const Field& field, T& value);
template <Listed T>
void read_part(MapReader& map, T& value, MapOf<T>);
template <Listed T>
void read_into(const Field& field, T& value, MapOf<T>) {
  read_struct(field, value);
}
template <Listed T>
void read_into(const Field& field, std::optional<T>& value, MapOf<T> kind) {
  read_into(field, value.emplace(), kind);
}
template <Listed T>
void read_into(const Field& field, Boxed<T>& value, MapOf<T> kind) {
  read_into(field, value.edit(), kind);
}
template <class Member, class Kind>
void read_into(const Field& field, std::vector<Member>& list, ListOf<Kind> kind) {
  const auto items = spec::read_list(field, kind.what);
  if (!items) return;
  list.clear();
  for (const Field& item : *items) {
    if constexpr (std::is_same_v<Kind, MapOf<Member>>) read_into(item, list.emplace_back(), kind.item);
    else if (auto value = read(item, kind.item)) list.push_back(std::move(*value));
  }
  refuse_more_than(field, kind.most, kind.what);
}

// Reads the keys of one map.
template <class Owner>
struct KeyReader {
  MapReader& map;
  Owner& owner;

  template <class Member, class Kind>
  void operator()(const Key<Owner, Member, Kind>& key) {
    if (const auto field = find(key)) read_into(*field, owner.*key.member, key.kind);
  }
  template <class Member, class Kind>
  void operator()(const Key<Owner, Member, ByHand<Kind>>& key) {
    (void)find(key);  // marks the key as known
  }
  template <class Kind>
  void operator()(const Form<Kind>& form) {
    if (const auto field = map.find(form.name)) read_form(*field, owner, form.kind);
  }
  template <class Kind>
  void operator()(const Form<ByHand<Kind>>& form) {
    (void)map.find(form.name);
  }
  template <class Member>
  void operator()(const Kept<Owner, Member>&) {}
  template <class Member>
  void operator()(const Part<Owner, Member>& part) {
    read_part(map, owner.*part.member, MapOf<Member>{});
  }
  void operator()(const Former& former) { map.accept(former.name); }
  template <class... Entries>
  void operator()(const Section<Entries...>& section) {
    const auto field = map.find(section.name);
    if (!field) return;
    MapReader inner(*field);
    KeyReader{inner, owner}(section.entries);
    inner.finish();
  }
  template <class... Entries>
  void operator()(const std::tuple<Entries...>& entries) {
    std::apply([&](const auto&... entry) { ((*this)(entry), ...); }, entries);
  }

 private:
  template <class Entry>
  std::optional<Field> find(const Entry& key) {
    return key.traits.required.empty() ? map.find(key.name) : map.require(key.name, key.traits.required);
  }
};

template <Listed T>
void read_keys(MapReader& map, T& value) {
  KeyReader<T>{map, value}(Keys<T>::list);
}
template <Listed T>
void read_part(MapReader& map, T& value, MapOf<T>) {
  read_keys(map, value);
}
template <Listed T>
void read_struct(const Field& field, T& value) {
  MapReader map(field);
  if (field.value->kind != spec::Value::Kind::map) return;
  read_keys(map, value);
  map.finish();
}

}  // namespace ym::keys
