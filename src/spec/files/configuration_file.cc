#include "spec/files/configuration_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "spec/text/text_kind.h"

namespace ym {
namespace {

template <class Parse>
auto load(const std::string& path, std::string_view what, Parse parse) -> decltype(parse(std::string_view())) {
  const auto text = read_text(path, what);
  if (!text) return std::unexpected(text.error());
  auto read = parse(*text);
  if (!read) read.error().message = path + ": " + read.error().message;
  return read;
}

// Whether the line is empty or has only a comment.
bool says_nothing(std::string_view line) {
  const auto begin = line.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos || line[begin] == '#') return true;
  return line.substr(begin, 3) == "---" && says_nothing(line.substr(begin + 3));
}

// An empty file is probably cut off, or not written yet.
Result<Configuration> parse_stated(std::string_view text) {
  for (auto rest = text; !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    if (!says_nothing(line)) return parse_configuration(text);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return fail(
      ErrorCode::invalid,
      "the file is empty; if it is not cut off and you want the defaults, write {} into it, or start without --config");
}

Result<Configuration> parse_whole(std::string_view text) {
  const bool is_whole = text.empty() || text.ends_with('\n') || spec::binary_kind(text);
  if (is_whole) return parse_stated(text);
  return fail(ErrorCode::invalid,
              "its last line has no line break, so the file may be cut off; end it with a line break");
}

}  // namespace

Result<std::string> read_text(const std::string& path, std::string_view what) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail(ErrorCode::invalid, fmt::format("cannot read the {} {}: it is a folder", what, path));
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || (text.str().empty() && file.peek() != std::ifstream::traits_type::eof()))
    return fail(ErrorCode::invalid, fmt::format("cannot read the {} {}", what, path));
  return text.str();
}

Result<Configuration> load_configuration(const std::string& path) {
  return path.empty() ? parse_configuration("{}") : load(path, "configuration file", parse_stated);
}

Result<Configuration> reload_configuration(const std::string& path) {
  return path.empty() ? parse_configuration("{}") : load(path, "configuration file", parse_whole);
}

Result<PolicyDocument> load_policy(const std::string& path) { return load(path, "policy file", parse_policy); }

}  // namespace ym
