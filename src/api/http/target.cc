#include "api/http/target.h"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace ym::api {

bool is_harmless_segment(std::string_view segment) {
  if (segment == "." || segment == "..") return false;
  for (const char c : segment) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '/' || c == '\\') return false;
  }
  return true;
}

Result<Target> parse_target(std::string_view target) {
  const auto parsed = boost::urls::parse_origin_form(boost::urls::string_view(target.data(), target.size()));
  if (!parsed) return fail(ErrorCode::invalid, "the request target is not a valid path and query");
  Target out;
  for (const auto& segment : parsed->segments()) {
    out.path.emplace_back(segment.data(), segment.size());
    if (!is_harmless_segment(out.path.back())) {
      return fail(ErrorCode::invalid, "a path segment holds a slash, a backslash, a dot name or a control character");
    }
  }
  for (const auto& param : parsed->params()) out.query.emplace_back(param.key, param.value);
  return out;
}

}  // namespace ym::api
