#include "spec/text/value_builder.h"

#include <utility>

#include "base/assert.h"
#include "spec/text/field.h"

namespace ym::spec {

void ValueBuilder::count(int line) {
  if (++values_ > kMaxValues) throw Refused{line, "more than 100000 values in one text", pointer()};
}

std::string ValueBuilder::pointer() const {
  std::string pointer;
  for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
    const Value& value = open_[i].value;
    const bool in_map = value.kind == Value::Kind::map;
    pointer += "/" + (in_map ? pointer_token(value.keys.back()) : std::to_string(value.items.size()));
  }
  return pointer;
}

void ValueBuilder::place(Value value) {
  if (open_.empty()) root_ = std::move(value);
  else open_.back().value.items.push_back(std::move(value));
}

void ValueBuilder::scalar(Value::Kind kind, std::string text, int line) {
  count(line);
  if (text.find('\0') != std::string::npos) throw Refused{line, "a text has a NUL character"};
  place({.kind = kind, .text = std::move(text), .keys = {}, .items = {}, .line = line});
}

void ValueBuilder::begin(Value::Kind kind, int line) {
  count(line);
  if (open_.size() >= kMaxDepth) throw Refused{line, "nested deeper than 64 levels"};
  open_.push_back({.value = {.kind = kind, .text = {}, .keys = {}, .items = {}, .line = line}, .seen = {}});
}

void ValueBuilder::key(std::string text, int line) {
  YM_ASSERT(wants_key());
  if (!open_.back().seen.insert(text).second)
    throw Refused{line, "the key " + quoted(text) + " is given twice", pointer() + "/" + pointer_token(text)};
  open_.back().value.keys.push_back(std::move(text));
}

void ValueBuilder::end() {
  YM_ASSERT(!open_.empty());
  Value value = std::move(open_.back().value);
  open_.pop_back();
  place(std::move(value));
}

bool ValueBuilder::wants_key() const {
  if (open_.empty() || open_.back().value.kind != Value::Kind::map) return false;
  return open_.back().value.keys.size() == open_.back().value.items.size();
}

Value ValueBuilder::take() {
  YM_ASSERT(open_.empty());
  return std::exchange(root_, {});
}

}  // namespace ym::spec
