#include "oidc/json.h"

#include <algorithm>

#include "base/whole_number.h"

namespace ym::oidc {
namespace {

// A step of a pointer: "~1" stands for "/", "~0" for "~".
std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escaped = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += !escaped ? step[i] : step[++i] == '1' ? '/' : '~';
  }
  return text;
}

}  // namespace

const Json* member(const Json& in, std::string_view name) {
  if (in.kind != Json::Kind::map) return nullptr;
  const auto key = std::ranges::find(in.keys, name);
  return key == in.keys.end() ? nullptr : &in.items[static_cast<std::size_t>(key - in.keys.begin())];
}

const Json* find(const Json& in, std::string_view place) {
  if (!place.starts_with('/')) return member(in, place);
  const Json* at = &in;
  while (at != nullptr && !place.empty()) {
    place.remove_prefix(1);
    const auto end = std::min(place.find('/'), place.size());
    at = member(*at, unescaped(place.substr(0, end)));
    place.remove_prefix(end);
  }
  return at;
}

std::string text_at(const Json& in, std::string_view name) {
  const Json* found = find(in, name);
  return found != nullptr && found->kind == Json::Kind::string ? found->text : std::string();
}

bool true_at(const Json& in, std::string_view name) {
  const Json* found = find(in, name);
  return found != nullptr && found->kind == Json::Kind::boolean && found->text == "true";
}

std::optional<std::int64_t> seconds_at(const Json& in, std::string_view name) {
  const Json* found = find(in, name);
  if (found == nullptr || found->kind != Json::Kind::number) return std::nullopt;
  const std::string_view text = found->text;
  return whole_number<std::int64_t>(text.substr(0, text.find('.')));
}

std::optional<Texts> texts_at(const Json& in, std::string_view place) {
  const Json* found = find(in, place);
  if (found == nullptr || found->kind == Json::Kind::null) return std::nullopt;
  if (found->kind == Json::Kind::string) return Texts{.items = {found->text}};
  Texts texts{.wrong = found->kind != Json::Kind::list};
  for (const Json& item : found->items) {
    if (item.kind == Json::Kind::string) texts.items.push_back(item.text);
    else texts.wrong = true;
  }
  return texts;
}

}  // namespace ym::oidc
