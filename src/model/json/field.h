// Field: an entry of the lists in fields.h.
//
// A name in these lists is stored: it never changes and is never used again for something else. A new field is listed
// with `added`: rows without it decode to the member's default. A field that is mostly empty (no text, no entries, 0,
// false) is listed with `sparse`: it is written only if it is not empty, and its default must be empty. A name that is
// not stored any more is listed with `former`: it is ignored in old rows.
#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "model/keys/key.h"

namespace ym::json {

using keys::InRows;

template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::* member;
  InRows in_rows = InRows::always;

  bool may_be_absent() const { return in_rows != InRows::always; }
  bool leaves_out(const Member& value) const { return in_rows == InRows::unless_empty && value == Member{}; }
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member) {
  return {name, member};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> added(std::string_view name, Member Owner::* member) {
  return {name, member, InRows::later};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> sparse(std::string_view name, Member Owner::* member) {
  return {name, member, InRows::unless_empty};
}

// A name with any value, which is ignored.
struct Former {
  std::string_view name;
};
constexpr Former former(std::string_view name) { return {name}; }

// Calls `visit` with each field of the list that has a member.
template <class List, class Visit>
constexpr void for_each_member(const List& list, Visit visit) {
  const auto one = [&]<class Entry>(const Entry& entry) {
    if constexpr (!std::is_same_v<Entry, Former>) visit(entry);
  };
  std::apply([&](const auto&... entry) { (one(entry), ...); }, list);
}

template <class T>
struct Fields;

// The stored fields of a struct with a key table follow from that table.
struct StoredFields {
  template <class Owner, class Member, class Kind>
  static constexpr std::tuple<Field<Owner, Member>> of(const keys::Key<Owner, Member, Kind>& key) {
    return {{key.traits.stored.empty() ? key.name : key.traits.stored, key.member, key.traits.in_rows}};
  }
  template <class Owner, class Member>
  static constexpr std::tuple<Field<Owner, Member>> of(const keys::Kept<Owner, Member>& kept) {
    return {{kept.stored, kept.member, kept.in_rows}};
  }
  template <class Kind>
  static constexpr std::tuple<> of(const keys::Form<Kind>&) {
    return {};
  }
  static constexpr std::tuple<> of(const keys::Former&) { return {}; }
  template <class... Entries>
  static constexpr auto of(const keys::Section<Entries...>& section) {
    return of(section.entries);
  }
  template <class... Entries>
  static constexpr auto of(const std::tuple<Entries...>& entries) {
    return std::apply([](const auto&... entry) { return std::tuple_cat(of(entry)...); }, entries);
  }
};
template <class T>
  requires keys::Listed<T>
struct Fields<T> {
  static constexpr auto list = StoredFields::of(keys::Keys<T>::list);
};

template <class T>
concept Described = requires { Fields<T>::list; };

}  // namespace ym::json
