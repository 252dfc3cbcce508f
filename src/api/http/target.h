// The request target taken apart: "/api/v1/jobs/a?tail=5" -> segments, parameters.
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

// Decodes percent escapes exactly once, segment by segment, so that an encoded slash
// never makes a new segment. Errors: `invalid` for what is not an origin-form target
// and for segments that hold a slash, a backslash or a control character, or are "."
// or ".."; a name of ours never needs them.
Result<Target> parse_target(std::string_view target);

// Whether a decoded segment is a name that could be one of a file: neither "." nor "..", without slashes, backslashes
// and control characters. It may be empty.
bool is_harmless_segment(std::string_view segment);

}  // namespace ym::api
