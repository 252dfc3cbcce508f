// How answers show structs with a key table (model/keys/key.h): the schemas of what api/json/keys.h writes.
//
// A value is shown in the syntax that users write, so its schema is that of the input. If there are several ways to
// write it, an overload here has the one that is shown.
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "api/openapi/schema.h"
#include "spec/keys/describe.h"

namespace ym::keys {

using api::openapi::Schema;

template <class Kind>
Schema shown(const Kind& kind) {
  return describe(kind).schema;
}
inline Schema shown(const Span&) { return api::openapi::text(); }
inline Schema shown(const Amount&) { return api::openapi::number(0); }
inline Schema shown(const GpuHours&) { return api::openapi::number(0); }
inline Schema shown(const Money&) { return api::openapi::number(0); }
Schema shown(const QuotaByFlavor&);
Schema shown(const RunLimits&);
template <Listed T>
Schema shown(const MapOf<T>&);
template <class Kind>
Schema shown(const ListOf<Kind>& kind) {
  return kind.most == 0 ? api::openapi::list(shown(kind.item)) : api::openapi::list(shown(kind.item), kind.most);
}
template <class Kind>
Schema shown(const ByHand<Kind>& kind) {
  return shown(kind.kind);
}

template <class T>
constexpr bool kMayBeNothing = false;
template <class T>
constexpr bool kMayBeNothing<std::optional<T>> = true;

// The counterpart of KeyWriter. Keys with Shown::apart get the schema of their kind. The code that shows them adds
// further members.
template <class Owner>
struct ShownCollector {
  Schema object = api::openapi::members({});

  template <class Member, class Kind>
  void operator()(const Key<Owner, Member, Kind>& key) {
    const bool always = key.traits.shown != Shown::if_set;
    if (key.traits.shown == Shown::null_if_empty || (always && kMayBeNothing<Member>))
      return add(key.name, api::openapi::or_null(shown(key.kind)), meaning_with_null(key.about), true);
    add(key.name, shown(key.kind), key.about.meaning, always);
  }
  // The value decides which of these keys there are.
  template <class Kind>
  void operator()(const Form<Kind>& form) {
    add(form.name, shown(form.kind), form.about.meaning, false);
  }
  void operator()(const Form<RunLimits>& form) { add(form.name, shown(form.kind), form.about.meaning, true); }
  void operator()(const Form<ByHand<ChildQueues>>&) {}
  template <class Member>
  void operator()(const Kept<Owner, Member>&) {}
  void operator()(const Former&) {}
  template <class... Entries>
  void operator()(const Section<Entries...>& section) {
    ShownCollector inner;
    inner(section.entries);
    add(section.name, std::move(inner.object), section.meaning, section.shown != Shown::if_set);
  }
  template <class... Entries>
  void operator()(const std::tuple<Entries...>& entries) {
    std::apply([&](const auto&... entry) { ((*this)(entry), ...); }, entries);
  }

 private:
  // Null means the same as a missing key.
  static std::string meaning_with_null(const About& about) {
    std::string meaning(about.meaning);
    if (!about.otherwise.empty()) meaning.append(" Null: ").append(about.otherwise).append(".");
    return meaning;
  }
  void add(std::string_view name, Schema schema, std::string_view meaning, bool always) {
    using api::openapi::Presence;
    api::openapi::add_member(object, {.name = name,
                                      .schema = std::move(schema),
                                      .meaning = without_links(meaning),
                                      .presence = always ? Presence::required : Presence::optional});
  }
};

// The object with all keys of a struct.
template <Listed T>
Schema shown_keys() {
  ShownCollector<T> collector;
  collector(Keys<T>::list);
  return std::move(collector.object);
}
template <Listed T>
Schema shown(const MapOf<T>&) {
  return shown_keys<T>();
}

// The same object, in which each key has a value.
Schema all_set(Schema object);

}  // namespace ym::keys
