#include "cli/http/sse.h"

#include <utility>

namespace ym::cli {
namespace {

constexpr std::size_t kLongestEventLine = std::size_t{8} << 20;

}  // namespace

void SseReader::feed(std::string_view bytes) {
  for (auto end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    rest_ += bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (rest_.ends_with('\r')) rest_.pop_back();
    line(std::exchange(rest_, {}));
  }
  if (rest_.size() + bytes.size() <= kLongestEventLine) rest_ += bytes;
}

void SseReader::line(std::string_view text) {
  if (text.empty()) {
    if (!event_.data.empty()) sink_(event_);
    event_.type.clear();
    event_.data.clear();
    return;
  }
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  auto value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "id") event_.id = value;
  if (name == "event") event_.type = value;
  if (name == "data") event_.data += (event_.data.empty() ? "" : "\n") + std::string(value);
}

}  // namespace ym::cli
