#include "executor/remote/agent/script_settings.h"

#include <fcntl.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>

#include "executor/local/attempt/files.h"

namespace ym::remote {
namespace {

constexpr std::string_view kExport = "export ", kQuoteInside = "'\\''";
constexpr std::size_t kLongest = 1 << 20;

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

// Removes "export NAME='" from the front of the text.
bool take_name(std::string_view& text, std::string& name) {
  if (!text.starts_with(kExport)) return false;
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || !text.substr(equals + 1).starts_with('\'')) return false;
  name = text.substr(kExport.size(), equals - kExport.size());
  text.remove_prefix(equals + 2);
  return is_name(name);
}

// Removes the text up to "'\n" from the front.
bool take_value(std::string_view& text, std::string& value) {
  while (true) {
    const auto quote = text.find('\'');
    if (quote == std::string_view::npos) return false;
    value += text.substr(0, quote);
    text.remove_prefix(quote);
    if (!text.starts_with(kQuoteInside)) break;
    value += '\'';
    text.remove_prefix(kQuoteInside.size());
  }
  if (!text.starts_with("'\n")) return false;
  text.remove_prefix(2);
  return true;
}

}  // namespace

Result<Environment> parse_settings(const std::string& script) {
  Environment settings;
  std::string_view text = script;
  if (!text.starts_with("#!")) return fail(ErrorCode::invalid, "line 1 does not begin with #!");
  text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  while (!text.empty()) {
    const auto rest = static_cast<std::ptrdiff_t>(text.size());
    std::string name, value;
    if (!take_name(text, name) || !take_value(text, value)) {
      const auto line = 1 + std::count(script.begin(), script.end() - rest, '\n');
      return fail(ErrorCode::invalid, "line " + std::to_string(line) + " is not export NAME='value'");
    }
    settings[name] = std::move(value);
  }
  return settings;
}

Result<void> add_settings(const std::string& path, Environment& env) {
  const auto text = local::read_file(AT_FDCWD, path.c_str(), kLongest);
  if (!text) return std::unexpected(text.error());
  auto settings = parse_settings(*text);
  if (!settings) return fail(settings.error().code, path + ": " + settings.error().message);
  for (auto& [name, value] : *settings) env[name] = std::move(value);
  return {};
}

}  // namespace ym::remote
