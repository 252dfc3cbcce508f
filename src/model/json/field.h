// Field: what the lists of fields.h are made of.
//
// A name written there is stored: it never changes and is never used again for
// something else. A field that is new is listed with `added`: rows written before it
// existed then decode to the member's default. One that is mostly empty (no text, no
// entries, 0, false) is listed with `sparse`: it is written only if it is not; its default
// has to be empty.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

namespace ym::json {

template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::* member;
  enum class Presence : std::uint8_t { always, later, unless_empty };
  Presence presence = Presence::always;

  bool may_be_absent() const { return presence != Presence::always; }
  bool leaves_out(const Member& value) const { return presence == Presence::unless_empty && value == Member{}; }
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member) {
  return {name, member};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> added(std::string_view name, Member Owner::* member) {
  return {name, member, Field<Owner, Member>::Presence::later};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> sparse(std::string_view name, Member Owner::* member) {
  return {name, member, Field<Owner, Member>::Presence::unless_empty};
}

template <class T>
struct Fields;

template <class T>
concept Described = requires { Fields<T>::list; };

}  // namespace ym::json
