// Reads JSON of others. A member of the wrong type counts as missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spec/text/value.h"

namespace ym::oidc {

// Its keys are unique, and its numbers keep their spelling.
using Json = spec::Value;

// A member of an object. Null: it has none of this name, or is no object.
const Json* member(const Json& in, std::string_view name);
// By a name, or by a JSON pointer ("/realm_access/roles"), which begins with a slash. Null: it does not exist.
const Json* find(const Json& in, std::string_view place);
std::string text_at(const Json& in, std::string_view name);  // empty: it does not exist, or is no text
bool true_at(const Json& in, std::string_view name);
// A time in seconds since 1970. A fraction is cut off.
std::optional<std::int64_t> seconds_at(const Json& in, std::string_view name);
// A text, or the texts of a list. Nothing: it does not exist. An item that is no text makes it `wrong`.
struct Texts {
  std::vector<std::string> items{};
  bool wrong = false;
};
std::optional<Texts> texts_at(const Json& in, std::string_view place);

}  // namespace ym::oidc
