#include "configuration_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

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

}  // namespace

Result<std::string> read_text(const std::string& path, std::string_view what) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || (text.str().empty() && file.peek() != std::ifstream::traits_type::eof()))
    return fail(ErrorCode::invalid, fmt::format("cannot read the {} {}", what, path));
  return text.str();
}

Result<Configuration> load_configuration(const std::string& path) {
  if (path.empty()) return parse_configuration("{}");
  auto configuration = load(path, "configuration file", parse_configuration);
  if (!configuration || configuration->waste_table_file.empty()) return configuration;
  // Beside the configuration, unless it says another place.
  const auto beside = std::filesystem::path(path).parent_path() / configuration->waste_table_file;
  auto table = load(beside.string(), "waste table", parse_waste_table);
  if (!table) return std::unexpected(table.error());
  configuration->waste_table = std::make_shared<const WasteTable>(std::move(*table));
  return configuration;
}

Result<PolicyDocument> load_policy(const std::string& path) { return load(path, "policy file", parse_policy); }

}  // namespace ym
