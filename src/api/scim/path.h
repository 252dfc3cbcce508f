// Filters and paths of SCIM, as far as providers use them: `userName eq "ann"`, `members[value eq "7"]`,
// `emails[type eq "work"].value`. Names are without regard to the case of letters; they are read in lower case.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/scim/fault.h"

namespace ym::api::scim {

// The one comparison that is understood: `attribute eq value`.
struct Filter {
  std::string attribute;
  std::string value;
};
// A filter of a list; its value is a text. Errors: invalidFilter.
Read<Filter> parse_filter(std::string_view text);

struct Path {
  std::string attribute;  // empty: one of an extension, which nothing here has
  std::optional<Filter> filter{};
  std::string sub{};
};
// Errors: invalidPath, invalidFilter.
Read<Path> parse_path(std::string_view text);

}  // namespace ym::api::scim
