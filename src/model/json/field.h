// Field: what the lists of fields.h are made of.
//
// A name written there is stored: it never changes and is never used again for
// something else. A field that is new is listed with `added`: rows written before it
// existed then decode to the member's default.
#pragma once

#include <string_view>
#include <tuple>

namespace ym::json {

template <class Owner, class Member>
struct Field {
  std::string_view name;
  Member Owner::* member;
  bool may_be_absent = false;
};

template <class Owner, class Member>
constexpr Field<Owner, Member> field(std::string_view name, Member Owner::* member) {
  return {name, member};
}
template <class Owner, class Member>
constexpr Field<Owner, Member> added(std::string_view name, Member Owner::* member) {
  return {name, member, true};
}

template <class T>
struct Fields;

template <class T>
concept Described = requires { Fields<T>::list; };

}  // namespace ym::json
