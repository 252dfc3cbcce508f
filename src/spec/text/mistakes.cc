#include "spec/text/mistakes.h"

namespace ym {
namespace {

// For a mistake in the whole file, no text follows the file's name.
std::string line_of(const FieldError& field) {
  const bool is_prefix = field.pointer.empty() || field.pointer.ends_with(": ");
  return field.pointer + (is_prefix ? "" : ": ") + field.message;
}

}  // namespace

std::vector<std::string> mistakes(const Error& error) {
  if (error.fields.empty()) return {error.message};
  const auto& first = error.fields.front();
  const auto whole = error.message.find(line_of(first));
  const auto at = whole == std::string::npos ? error.message.find(first.message) : whole;
  const auto prefix = at == std::string::npos ? "" : error.message.substr(0, at);
  std::vector<std::string> lines;
  if (at == std::string::npos) lines.push_back(error.message);
  for (const auto& field : error.fields) lines.push_back(prefix + line_of(field));
  return lines;
}

}  // namespace ym
