// Splits a request target: "/api/v1/jobs/a?tail=5" -> segments, parameters.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ym::api {

struct Target {
  std::vector<std::string> path;
  std::vector<std::pair<std::string, std::string>> query;
};

// Decodes percent escapes exactly once, segment by segment, so that an encoded slash never makes a new segment. Errors:
// `invalid` if the target is not in origin form, and if a segment is "." or "..", or contains a slash, a backslash or a
// control character. The API's own names never need these.
Result<Target> parse_target(std::string_view target);

// Whether a decoded segment is safe as a file name: it is neither "." nor "..", and has no slashes, backslashes or
// control characters. It may be empty.
bool is_harmless_segment(std::string_view segment);

}  // namespace ym::api
