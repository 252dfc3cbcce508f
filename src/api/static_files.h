// StaticFiles: serves files that are part of the program.
//
// An answer has an ETag, and a client may store it. A request with a matching If-None-Match gets 304 without content.
// HEAD gets the same answer as GET: the session omits the body.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.h"

namespace ym::api {

// All views stay valid until the program ends.
struct StaticFile {
  std::string_view name;          // "openapi.json"; with folders, "ui/index.html"
  std::string_view content_type;  // "application/json"
  std::string_view content;
};

// Immutable.
class StaticFiles {
 public:
  // Keeps the span.
  explicit StaticFiles(std::span<const StaticFile> files);

  // Nothing: there is no file with that name.
  std::optional<Response> answer(const Request& request, std::string_view name) const;

 private:
  struct Tagged {
    const StaticFile* file;
    std::string etag;  // with its quotes
  };
  std::vector<Tagged> files_;  // by name
};

// Whether an If-None-Match field names the tag, or anything ("*"). Comparison is weak: "W/" is ignored.
bool names_tag(std::string_view field, std::string_view etag);

}  // namespace ym::api
