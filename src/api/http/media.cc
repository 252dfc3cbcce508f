#include "api/http/media.h"

#include "api/http/text.h"

namespace ym::api {
namespace {

// "q=0", "q=0.0", "q=0.000": the type is not accepted.
bool is_zero_quality(std::string_view parameter) {
  parameter = trim(parameter);
  if (parameter.size() < 3 || lower(parameter[0]) != 'q' || parameter[1] != '=') return false;
  return parameter.substr(2).find_first_not_of("0.") == std::string_view::npos;
}

bool is_refused(std::string_view parameters) {
  while (!parameters.empty()) {
    if (is_zero_quality(take_until(parameters, ';'))) return true;
  }
  return false;
}

bool covers(std::string_view range, std::string_view type) {
  if (range == "*/*" || equal_ignoring_case(range, type)) return true;
  if (range.size() < 2 || !range.ends_with("/*")) return false;
  const auto main_type = range.substr(0, range.size() - 1);
  return type.size() > main_type.size() && equal_ignoring_case(type.substr(0, main_type.size()), main_type);
}

}  // namespace

bool is_media_type(std::string_view content_type, std::string_view type) {
  if (!equal_ignoring_case(trim(take_until(content_type, ';')), type)) return false;
  while (!content_type.empty()) {
    auto parameter = trim(take_until(content_type, ';'));
    const auto name = take_until(parameter, '=');
    if (!equal_ignoring_case(name, "charset")) continue;
    if (parameter.size() >= 2 && parameter.front() == '"') parameter = parameter.substr(1, parameter.size() - 2);
    if (!equal_ignoring_case(parameter, "utf-8")) return false;
  }
  return true;
}

bool accepts(std::string_view accept, std::string_view type) {
  if (trim(accept).empty()) return true;
  while (!accept.empty()) {
    auto item = take_until(accept, ',');
    const auto range = trim(take_until(item, ';'));
    if (covers(range, type) && !is_refused(item)) return true;
  }
  return false;
}

bool asks_for(std::string_view accept, std::string_view type) {
  while (!accept.empty()) {
    auto item = take_until(accept, ',');
    const auto range = trim(take_until(item, ';'));
    if (equal_ignoring_case(range, type) && !is_refused(item)) return true;
  }
  return false;
}

}  // namespace ym::api
