#include "cli/input_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "cli/verbs/submit.h"
#include "spec/text/text_kind.h"

namespace ym::cli {
namespace {

constexpr std::size_t kLargest = std::size_t{1} << 20;

std::string read_most(std::istream& stream) {
  std::string text(kLargest + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return text;
}

Result<std::string> read_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return fail(ErrorCode::invalid, fmt::format("{} is a folder; name a file in it", path));
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::invalid, fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  auto text = read_most(file);
  if (text.empty()) return fail(ErrorCode::invalid, fmt::format("{} is empty", path));
  return text;
}

}  // namespace

Result<std::string> read_text_file(Session& session, const std::string& path) {
  auto text = path == "-" ? Result<std::string>(read_most(session.in)) : read_file(path);
  if (!text) return text;
  if (const auto kind = spec::binary_kind(*text))
    return fail(ErrorCode::invalid, fmt::format("{} is {}, not YAML or JSON", path, *kind));
  if (text->size() > kLargest) return fail(ErrorCode::invalid, fmt::format("{} is longer than 1 MiB", path));
  return text;
}

int report_in_file(Session& session, const std::string& path, const Error& error) {
  if (!session.is_table() || path == "-") return report(session, error);
  auto named = renamed(error, [&](const std::string& pointer) { return path + ": " + pointer; });
  const bool of_text = error.code == ErrorCode::invalid || error.code == ErrorCode::too_large;
  if (of_text && error.fields.empty()) named.message = path + ": " + named.message;
  return report(session, named);
}

}  // namespace ym::cli
