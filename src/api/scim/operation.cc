#include "api/scim/operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "api/http/text.h"

namespace ym::api::scim {
namespace {

using Kind = spec::Value::Kind;

// Names that differ only in the case of letters are one attribute, so an object must have it once.
Read<void> check_attribute_names(const spec::Value& object) {
  std::set<std::string> seen;
  for (std::string name : object.keys) {
    std::ranges::transform(name, name.begin(), lower);
    if (!seen.insert(std::move(name)).second) return invalid_syntax("an attribute is there twice");
  }
  return {};
}

Read<spec::Value> read_object(std::string_view body) {
  auto value = spec::read_json(body);
  if (!value) return invalid_syntax("the body is no JSON that can be read: " + value.error().message);
  if (value->kind != Kind::map) return invalid_syntax("the body is no JSON object");
  if (auto named = check_attribute_names(*value); !named) return std::unexpected(named.error());
  return std::move(*value);
}

Read<void> add_attributes(Operation::Kind kind, const spec::Value& object, std::vector<Operation>& out) {
  if (auto named = check_attribute_names(object); !named) return named;
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    auto path = parse_path(object.keys[i]);
    if (!path) return std::unexpected(path.error());
    out.push_back({.kind = kind, .path = std::move(*path), .value = object.items[i]});
  }
  return {};
}

Read<Operation::Kind> kind_of_operation(const spec::Value& said) {
  const auto* name = find_attribute(said, "op");
  const auto is = [&](std::string_view wanted) {
    return name && name->kind == Kind::string && equal_ignoring_case(name->text, wanted);
  };
  if (is("add")) return Operation::Kind::add;
  if (is("replace")) return Operation::Kind::replace;
  if (is("remove")) return Operation::Kind::remove;
  return invalid_syntax("`op` is add, replace or remove");
}

Read<void> add_operation(const spec::Value& said, std::vector<Operation>& out) {
  if (said.kind != Kind::map) return invalid_syntax("an operation is an object");
  if (auto named = check_attribute_names(said); !named) return named;
  const auto kind = kind_of_operation(said);
  if (!kind) return std::unexpected(kind.error());
  const auto* value = find_attribute(said, "value");
  const auto* path = find_attribute(said, "path");
  if (path == nullptr || path->kind == Kind::null) {
    if (*kind == Operation::Kind::remove) return std::unexpected(Fault{"noTarget", "say with `path` what to remove"});
    if (value == nullptr || value->kind != Kind::map)
      return invalid_value("without `path`, the value is an object with attributes");
    return add_attributes(*kind, *value, out);
  }
  if (path->kind != Kind::string) return invalid_path("`path` is a text");
  auto read = parse_path(path->text);
  if (!read) return std::unexpected(read.error());
  out.push_back({.kind = *kind, .path = std::move(*read), .value = value ? *value : spec::Value{}});
  return {};
}

}  // namespace

const spec::Value* find_attribute(const spec::Value& in, std::string_view name) {
  if (in.kind != Kind::map) return nullptr;
  const auto found =
      std::ranges::find_if(in.keys, [&](const std::string& key) { return equal_ignoring_case(key, name); });
  return found == in.keys.end() ? nullptr : &in.items[static_cast<std::size_t>(found - in.keys.begin())];
}

Read<std::string> text_left(const Operation& operation) {
  if (operation.kind == Operation::Kind::remove || operation.value.kind == Kind::null) return std::string();
  if (operation.value.kind == Kind::string) return operation.value.text;
  return invalid_value(fmt::format("the value of {} is a text", operation.path.attribute));
}

Read<std::vector<Operation>> read_resource(std::string_view body) {
  const auto object = read_object(body);
  if (!object) return std::unexpected(object.error());
  std::vector<Operation> operations;
  if (auto added = add_attributes(Operation::Kind::replace, *object, operations); !added)
    return std::unexpected(added.error());
  return operations;
}

Read<std::vector<Operation>> read_patch(std::string_view body) {
  const auto object = read_object(body);
  if (!object) return std::unexpected(object.error());
  const auto* list = find_attribute(*object, "Operations");
  if (list == nullptr || list->kind != Kind::list || list->items.empty())
    return invalid_syntax("a patch has a list of `Operations`");
  std::vector<Operation> operations;
  for (const spec::Value& one : list->items)
    if (auto added = add_operation(one, operations); !added) return std::unexpected(added.error());
  return operations;
}

}  // namespace ym::api::scim
