#include "api/static_files.h"

#include <algorithm>

#include "api/digest.h"
#include "api/http/text.h"

namespace ym::api {
namespace {

// This many digits of a SHA-256 distinguish the versions of a file.
constexpr std::size_t kTagDigits = 32;

}  // namespace

bool names_tag(std::string_view field, std::string_view etag) {
  if (trim(field) == "*") return true;
  while (!field.empty()) {
    auto tag = trim(take_until(field, ','));
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == etag) return true;
  }
  return false;
}

StaticFiles::StaticFiles(std::span<const StaticFile> files) {
  for (const auto& file : files)
    files_.push_back({&file, "\"" + sha256_hex(file.content).substr(0, kTagDigits) + "\""});
  std::ranges::sort(files_, {}, [](const Tagged& tagged) { return tagged.file->name; });
}

std::optional<Response> StaticFiles::answer(const Request& request, std::string_view name) const {
  const auto found = std::ranges::lower_bound(files_, name, {}, [](const Tagged& tagged) { return tagged.file->name; });
  if (found == files_.end() || found->file->name != name) return std::nullopt;
  Response response{.content_type = found->file->content_type, .cache = kCacheAndAsk};
  response.headers.push_back({"ETag", found->etag});
  if (names_tag(request.header("If-None-Match"), found->etag)) response.status = 304;
  else response.body = found->file->content;
  return response;
}

}  // namespace ym::api
