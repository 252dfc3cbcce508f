#include "spec/convert/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/text/suggest.h"

namespace ym::convert {

void Remarks::add(Remark::Kind kind, const Field& at, std::string_view message) {
  const int line = at.value->line;
  const auto text = line > 0 ? fmt::format("{} (line {})", message, line) : std::string(message);
  const auto same = [&](const Remark& each) { return each.pointer == at.pointer && each.message == text; };
  if (std::ranges::any_of(remarks_, same)) return;
  const auto place = std::ranges::upper_bound(remarks_, line, {}, &Remark::line);
  remarks_.insert(place, {kind, at.pointer, text, line});
}

bool says_something(const Value& value) {
  switch (value.kind) {
    case Value::Kind::null: return false;
    case Value::Kind::boolean: return value.text == "true" || value.text == "True" || value.text == "TRUE";
    case Value::Kind::list:
    case Value::Kind::map: return !value.items.empty();
    case Value::Kind::number:
    case Value::Kind::string: return true;
  }
  return true;
}

Keys::Keys(const Field& field, Remarks& remarks) : field_(field), remarks_(&remarks) {
  const spec::MapReader is_a_map(field);
}

std::optional<Field> Keys::find(std::string_view key) {
  known_.emplace_back(key);
  return field_under(field_, key);
}

std::optional<Field> Keys::require(std::string_view key, std::string_view hint) {
  auto found = find(key);
  if (!found && field_.value->kind == Value::Kind::map)
    field_.problems->add(field_.pointer + "/" + std::string(key), fmt::format("is missing; {}", hint),
                         field_.value->line);
  return found;
}

void Keys::skip(std::initializer_list<std::string_view> keys) { known_.insert(known_.end(), keys.begin(), keys.end()); }

void Keys::drop(std::span<const Advice> list) {
  for (const auto& [key, text] : list) {
    const auto found = find(key);
    if (found && says_something(*found->value)) remarks_->warn(*found, fmt::format("is left out; {}", text));
  }
}

void Keys::note(std::span<const UnneededKey> list) {
  for (const auto& [key, usual, text] : list) {
    const auto found = find(key);
    // If the usual value is true, `false` is unusual.
    if (!found || (usual.empty() && !says_something(*found->value))) continue;
    if (usual.empty() || !found->value->is_scalar() || found->value->text != usual)
      remarks_->note(*found, fmt::format("is left out; {}", text));
  }
}

void Keys::finish() {
  if (field_.value->kind != Value::Kind::map) return;
  for (std::size_t i = 0; i < field_.value->keys.size(); ++i) {
    const auto& key = field_.value->keys[i];
    const auto& item = field_.value->items[i];
    // For an unknown key the meaning of `false` is unknown too, so it gets a remark.
    const bool says = says_something(item) || item.kind == Value::Kind::boolean;
    if (std::ranges::find(known_, key) != known_.end() || !says) continue;
    const auto near = spec::nearest(key, known_);
    const auto guess = near ? fmt::format("; did you mean {}?", *near) : "; a job file has nothing like it";
    remarks_->warn(field_.child(key, item), "is left out" + guess);
  }
}

std::optional<Field> field_under(const std::optional<Field>& map, std::string_view key) {
  if (!map || map->value->kind != Value::Kind::map) return std::nullopt;
  for (std::size_t i = 0; i < map->value->keys.size(); ++i)
    if (map->value->keys[i] == key && map->value->items[i].kind != Value::Kind::null)
      return map->child(key, map->value->items[i]);
  return std::nullopt;
}

std::string text_under(const std::optional<Field>& map, std::string_view key) {
  const auto found = field_under(map, key);
  return found && found->value->is_scalar() ? found->value->text : "";
}

}  // namespace ym::convert
