#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "model/json/codec.h"
#include "model/json/enum_text.h"
#include "model/json/event_fields.h"

namespace ym::json {
namespace {

namespace bj = boost::json;

bj::value to_json(bool flag) { return flag; }
bj::value to_json(std::int32_t n) { return std::int64_t{n}; }
bj::value to_json(std::int64_t n) { return n; }
bj::value to_json(std::uint64_t n) { return n; }
bj::value to_json(const std::string& text) { return bj::string(text); }
// As text: the shortest that gives back the same bits, which JSON numbers do not promise.
bj::value to_json(double number) { return bj::string(fmt::format("{}", number)); }
bj::value to_json(Instant t) { return t.ms; }
bj::value to_json(Duration d) { return d.ms; }
template <class Tag>
bj::value to_json(StrongId<Tag> id) {
  return id.value;
}
template <class Enum>
  requires std::is_enum_v<Enum>
bj::value to_json(Enum value) {
  return bj::string(EnumText<Enum>::write(value));
}

template <Described T>
bj::value to_json(const T& row);
template <class T>
bj::value to_json(const std::vector<T>& items);
template <class T>
bj::value to_json(const std::map<std::string, T>& entries);

// A kind without a limit is left out.
bj::value to_json(const FlavorQuota& quota) {
  bj::object object;
  for (std::size_t i = 0; i < kResourceKinds; ++i)
    if (quota[i]) object.emplace(to_string(resource_kind(i)), to_json(*quota[i]));
  return object;
}

// A list, because the order of an object is nobody's promise.
bj::value to_json(const QuotaList& quota) {
  bj::array list;
  for (const auto& [flavor, kinds] : quota) list.push_back({{"flavor", flavor}, {"kinds", to_json(kinds)}});
  return list;
}

template <class T>
bj::value to_json(const std::vector<T>& items) {
  bj::array array;
  array.reserve(items.size());
  for (const auto& item : items) array.push_back(to_json(item));
  return array;
}

template <class T>
bj::value to_json(const std::map<std::string, T>& entries) {
  bj::object object;
  object.reserve(entries.size());
  for (const auto& [key, value] : entries) object.emplace(key, to_json(value));
  return object;
}

template <class T>
void put(bj::object& object, std::string_view name, const T& value) {
  object.emplace(name, to_json(value));
}
template <class T>
void put(bj::object& object, std::string_view name, const std::optional<T>& value) {
  if (value) object.emplace(name, to_json(*value));
}

template <Described T>
bj::value to_json(const T& row) {
  bj::object object;
  object.reserve(std::tuple_size_v<decltype(Fields<T>::list)>);
  std::apply([&](const auto&... f) { (put(object, f.name, row.*f.member), ...); }, Fields<T>::list);
  return object;
}

}  // namespace

bj::value encode(const JobSpec& spec) { return to_json(spec); }
bj::value encode(const Job& job) { return to_json(job); }
bj::value encode(const Attempt& attempt) { return to_json(attempt); }
bj::value encode(const Cluster& cluster) { return to_json(cluster); }
bj::value encode(const Node& node) { return to_json(node); }
bj::value encode(const Flavor& flavor) { return to_json(flavor); }
bj::value encode(const Queue& queue) { return to_json(queue); }
bj::value encode(const EventPayload& payload) {
  return std::visit([](const auto& event) { return to_json(event); }, payload);
}

}  // namespace ym::json
