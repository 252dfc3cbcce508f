#include "executor/local/supervisor/progress_scanner.h"

#include <string.h>

#include <algorithm>
#include <utility>

#include "executor/local/attempt/raw_report.h"

namespace ym::local {
namespace {

constexpr std::string_view kMark = "YM_PROGRESS ";

// The search of the C library handles gigabytes per second; that of std::string_view does not.
std::size_t find_mark(std::string_view text) {
  const void* at = ::memmem(text.data(), text.size(), kMark.data(), kMark.size());
  return at ? static_cast<std::size_t>(static_cast<const char*>(at) - text.data()) : std::string_view::npos;
}

// Length of the end of the text that may be the beginning of a mark.
std::size_t open_end(std::string_view text) {
  for (auto size = std::min(text.size(), kMark.size() - 1); size > 0; --size)
    if (kMark.starts_with(text.substr(text.size() - size))) return size;
  return 0;
}

bool is_object(std::string_view text) { return text.starts_with('{') && text.ends_with('}'); }

}  // namespace

std::vector<std::string> ProgressScanner::scan(std::string_view piece) {
  while (!piece.empty()) piece = collecting_ ? collect(piece) : look_for_mark(piece);
  return std::exchange(found_, {});
}

std::vector<std::string> ProgressScanner::finish() {
  if (collecting_) complete();
  return std::exchange(found_, {});
}

// Returns the text after the mark, or empty.
std::string_view ProgressScanner::look_for_mark(std::string_view piece) {
  std::string joined;
  const auto tail = tail_.size();
  // Only the first bytes can complete a mark that began in the previous piece.
  if (tail > 0) joined = std::exchange(tail_, {}).append(piece.substr(0, kMark.size()));
  const auto text = tail > 0 ? std::string_view(joined) : piece;
  const auto at = find_mark(text);
  if (at != std::string_view::npos) {
    at_line_start_ = (at == 0 ? before_ : text[at - 1]) == '\n';
    collecting_ = true;
    return piece.substr(at + kMark.size() - tail);
  }
  const bool more = text.size() - tail < piece.size();
  const auto keep = more ? 0 : open_end(text);
  // If more of the piece follows, it is scanned again as a whole, without the previous tail.
  if (more) {
    before_ = joined[tail - 1];
    return piece;
  }
  if (keep < text.size()) before_ = text[text.size() - keep - 1];
  tail_ = text.substr(text.size() - keep);
  return {};
}

std::string_view ProgressScanner::collect(std::string_view piece) {
  const auto end = std::min(piece.find('\n'), piece.size());
  const auto room = kMaxReport + 1 - report_.size();
  cut_ = cut_ || end > room;
  report_.append(piece.substr(0, std::min(end, room)));
  if (end == piece.size()) return {};
  complete();
  return piece.substr(end + 1);
}

void ProgressScanner::complete() {
  auto text = std::exchange(report_, {});
  const auto last = text.find_last_not_of(" \t\r");
  if (!cut_) text.resize(last == std::string::npos ? 0 : last + 1);
  if (at_line_start_ || (!cut_ && is_object(text))) found_.push_back(std::move(text));
  collecting_ = cut_ = false;
  before_ = '\n';
}

}  // namespace ym::local
