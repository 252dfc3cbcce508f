// Key tables: what people may write of a struct, declared once.
//
// Keys<T>::list is a tuple with one entry a key. From it are made: the decoder and its suggestions (spec/keys/read.h),
// the form in answers of the API (api/json/keys.h), the stored row (model/json/field.h), the schema for editors and
// OpenAPI and the tables of the guide (spec/keys/describe.h), and random values for tests (model/testing). So a key
// that is only stored and shown is a member of the struct and a row of its table.
//
// A row says what a value looks like by a kind (kinds.h). Kinds are data. Each user of tables has an overload for each
// kind, in this namespace. One that is forgotten does not compile.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

namespace ym::keys {

// When a member is written to its row.
enum class InRows : std::uint8_t {
  unless_empty,  // rows without it are read as empty; its default has to be empty
  always,        // rows without it are corrupt
  later          // always, but rows from before it existed have the default
};

// When it is in answers of the API.
enum class Shown : std::uint8_t {
  always,         // null where there is no value
  null_if_empty,  // and where it is as by default
  if_set,         // left out where it is as by default
  apart           // by hand: it is shown with something that its struct does not know
};

// What is said of a key beside its value.
struct About {
  std::string_view meaning;      // one sentence, for people
  std::string_view example{};    // a value as it is written in YAML; may be empty
  std::string_view otherwise{};  // what holds where it is left out, in words; empty: the struct's own default
};

struct Traits {
  std::string_view stored{};  // the name in rows; empty: that of the key
  InRows in_rows = InRows::unless_empty;
  Shown shown = Shown::always;
  std::string_view required{};  // what to write if it is missing; empty: it may be left out
  bool secret = false;          // its values may be secrets
};

// A kind whose values the decoder of the struct reads by hand: it needs more than the value, or several keys at once.
template <class Kind>
struct ByHand {
  Kind kind;
};
template <class Kind>
ByHand(Kind) -> ByHand<Kind>;

// One member.
template <class Owner, class Member, class Kind>
struct Key {
  std::string_view name;
  Member Owner::* member;
  Kind kind;
  About about;
  Traits traits{};
};
template <class Owner, class Member, class Kind>
Key(std::string_view, Member Owner::*, Kind, About) -> Key<Owner, Member, Kind>;
template <class Owner, class Member, class Kind>
Key(std::string_view, Member Owner::*, Kind, About, Traits) -> Key<Owner, Member, Kind>;

// One written value that stands for several members, which are Kept.
template <class Kind>
struct Form {
  std::string_view name;
  Kind kind;
  About about;
};
template <class Kind>
Form(std::string_view, Kind, About) -> Form<Kind>;

// A member that is stored, but is not a key.
template <class Owner, class Member>
struct Kept {
  std::string_view stored;
  Member Owner::* member;
  InRows in_rows = InRows::unless_empty;
};
template <class Owner, class Member>
Kept(std::string_view, Member Owner::*) -> Kept<Owner, Member>;
template <class Owner, class Member>
Kept(std::string_view, Member Owner::*, InRows) -> Kept<Owner, Member>;

// A key of earlier versions: it is accepted, has no effect, and is documented and suggested nowhere.
struct Former {
  std::string_view name;
};

// Keys of the same struct that are written together, in a map of their own.
template <class... Entries>
struct Section {
  std::string_view name;
  std::string_view meaning;
  Shown shown;
  std::tuple<Entries...> entries;
};
template <class... Entries>
constexpr Section<Entries...> section(std::string_view name, std::string_view meaning, Entries... entries) {
  return {name, meaning, Shown::always, {entries...}};
}
// The same, left out of answers where none of its keys is set.
template <class... Entries>
constexpr Section<Entries...> sparse_section(std::string_view name, std::string_view meaning, Entries... entries) {
  return {name, meaning, Shown::if_set, {entries...}};
}

template <class T>
struct Keys;

template <class T>
concept Listed = requires { Keys<T>::list; };

}  // namespace ym::keys
