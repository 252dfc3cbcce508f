#include "api/form.h"

#include <algorithm>
#include <boost/url/parse_query.hpp>

namespace ym::api {

std::optional<FormFields> FormFields::parse(std::string_view body) {
  if (body.size() > kMostBytes) return std::nullopt;
  // In a form a plus is a blank. A query of Boost.URL keeps it.
  std::string spaced;
  for (const char c : body) {
    if (c == '+') spaced += "%20";
    else spaced += c;
  }
  const auto parsed = boost::urls::parse_query(boost::urls::string_view(spaced.data(), spaced.size()));
  if (!parsed) return std::nullopt;
  FormFields form;
  for (const auto& param : *parsed) {
    // An empty body is one parameter without a name.
    std::string name = param.key.decode();
    if (name.empty()) continue;
    const auto same = [&](const auto& field) { return field.first == name; };
    if (form.fields_.size() == kMostFields || std::ranges::any_of(form.fields_, same)) return std::nullopt;
    form.fields_.emplace_back(std::move(name), param.value.decode());
  }
  return form;
}

std::string FormFields::get(std::string_view name) const {
  const auto field = std::ranges::find(fields_, name, &std::pair<std::string, std::string>::first);
  return field == fields_.end() ? std::string() : field->second;
}

}  // namespace ym::api
