#include <fmt/format.h>

#include "spec/documents.h"
#include "spec/text/field.h"
#include "spec/text/value.h"

namespace ym {
namespace {

// The item of a map or list at one step of a pointer; null: it does not exist.
const spec::Value* item(const spec::Value& value, std::string_view token) {
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const bool is_map = value.kind == spec::Value::Kind::map;
    if (token == (is_map ? spec::pointer_token(value.keys[i]) : std::to_string(i))) return &value.items[i];
  }
  return nullptr;
}

int line_of(const spec::Value& document, std::string_view pointer) {
  const spec::Value* at = &document;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const auto end = std::min(pointer.find('/'), pointer.size());
    const spec::Value* next = item(*at, pointer.substr(0, end));
    if (!next) break;
    at = next;
    pointer.remove_prefix(end);
  }
  return at->line;
}

}  // namespace

Error with_lines(Error error, std::string_view yaml) {
  const auto documents = spec::read_yaml(yaml);
  if (!documents || documents->size() != 1) return error;
  for (FieldError& field : error.fields) {
    const int line = line_of(documents->front(), field.pointer);
    if (line == 0 || field.message.contains("(line ")) continue;
    const auto said = field.pointer + ": " + field.message;
    const auto located = fmt::format("{} (line {})", field.message, line);
    if (error.message.starts_with(said)) error.message.replace(0, said.size(), field.pointer + ": " + located);
    field.message = located;
  }
  return error;
}

}  // namespace ym
