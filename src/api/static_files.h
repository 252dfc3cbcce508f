// StaticFiles: files that are part of the program, as answers.
//
// An answer has an ETag, and may be kept by who asked; asked again with If-None-Match, it is 304 without the content.
// HEAD is answered as GET is: the session leaves the body out.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/http/message.h"

namespace ym::api {

// All of it outlives the program's use of it.
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

  // Nothing: there is no file of that name.
  std::optional<Response> answer(const Request& request, std::string_view name) const;

 private:
  struct Tagged {
    const StaticFile* file;
    std::string etag;  // with its quotes
  };
  std::vector<Tagged> files_;  // by name
};

// Whether an If-None-Match field names the tag, or anything ("*"). Tags are compared weakly: "W/" does not matter.
bool names_tag(std::string_view field, std::string_view etag);

}  // namespace ym::api
