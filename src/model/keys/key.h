// Key tables: the keys that users may write for a struct, declared once.
//
// Keys<T>::list is a tuple with one entry for each key. These are made from it: the decoder and its suggestions
// (spec/keys/read.h), the form in answers of the API (api/json/keys.h), the stored row (model/json/field.h), the schema
// for editors and OpenAPI and the tables of the guide (spec/keys/describe.h), and random values for tests
// (model/testing). So a new key that is only stored and shown needs a member of the struct and an entry in its table.
//
// A kind (kinds.h) describes the values of a key. Kinds are data. Each user of tables has an overload for each kind, in
// this namespace. A missing overload does not compile.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace ym::keys {

// When a member is written to its row.
enum class InRows : std::uint8_t {
  unless_empty,  // rows without it are read as empty; its default must be empty
  always,        // rows without it are corrupt
  later          // always written, but older rows without it get the default
};

// When a key is in answers of the API.
enum class Shown : std::uint8_t {
  always,         // null if there is no value
  null_if_empty,  // null also if it has its default
  if_set,         // left out if it has its default
  apart           // by code of its own: it is shown with facts that its struct does not have
};

// The documentation of a key.
struct About {
  std::string_view meaning;      // one sentence, for users
  std::string_view example{};    // a value in YAML; may be empty
  std::string_view otherwise{};  // what applies if the key is left out; empty: the struct's default
};

struct Traits {
  std::string_view stored{};  // the name in rows; empty: the name of the key
  InRows in_rows = InRows::unless_empty;
  Shown shown = Shown::always;
  std::string_view required{};  // what to write if it is missing; empty: it may be left out
  // Its value is a secret: schemas mark it as `writeOnly`. Answers must not show it.
  bool secret = false;
};

// A kind with values that code of the struct's decoder reads: it needs more than the value, or several keys at once.
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

// A key whose default is not that of its struct: the member has no value if it is left out. The default's words follow
// from this value, so About has none.
template <class Owner, class Value, class Kind>
struct Setting : Key<Owner, std::optional<Value>, Kind> {
  Value by_default;
};
template <class Owner, class Value, class Kind>
Setting(Key<Owner, std::optional<Value>, Kind>, std::type_identity_t<Value>) -> Setting<Owner, Value, Kind>;

// One written value for several members. The members are Kept.
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

// A member that has a key table: its keys are written among those of the owner.
template <class Owner, class Member>
struct Part {
  Member Owner::* member;
};
template <class Owner, class Member>
Part(Member Owner::*) -> Part<Owner, Member>;

// A key of earlier versions. It is accepted and has no effect. It is not documented or suggested.
struct Former {
  std::string_view name;
};

// Keys of the same struct that are written together in a map.
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
// A section that is left out of answers if none of its keys is set.
template <class... Entries>
constexpr Section<Entries...> sparse_section(std::string_view name, std::string_view meaning, Entries... entries) {
  return {name, meaning, Shown::if_set, {entries...}};
}

template <class T>
struct Keys;

template <class T>
concept Listed = requires { Keys<T>::list; };

}  // namespace ym::keys
