#include "cli/contact.h"

#include <fmt/format.h>

#include "cli/term/text.h"

namespace ym::cli {
namespace {

constexpr Duration kFirstPause{100};
constexpr Duration kLongestPause = seconds(2);
constexpr Duration kTellAfter{500};  // a shorter restart gets no message

}  // namespace

Result<Api*> Contact::connected() {
  if (!api_) {
    auto api = session_.connect();
    if (!api) return std::unexpected(api.error());
    api_ = std::move(*api);
  }
  return &*api_;
}

void Contact::heard() {
  if (told_) session_.err << "the server is back\n" << std::flush;
  told_ = false;
  lost_since_.reset();
  answered_once_ = true;
}

bool Contact::wait(const Error& error) {
  const auto now = session_.now();
  if (!lost_since_) {
    lost_since_ = now;
    pause_ = kFirstPause;
  }
  api_.reset();  // the server may return at another address
  const auto limit = answered_once_ ? timeouts_.later : timeouts_.first;
  if (session_.interrupted() || now - *lost_since_ >= limit) return false;
  if (timeouts_.deadline && now >= *timeouts_.deadline) return false;
  if (!told_ && now - *lost_since_ >= kTellAfter) {
    session_.err << fmt::format("ym: {}; trying again{}\n", printable(error.message),
                                answered_once_ ? " (jobs go on without the server)" : "")
                 << std::flush;
    told_ = true;
  }
  session_.sleep(pause_);
  pause_ = std::min(Duration{pause_.ms * 2}, kLongestPause);
  return true;
}

}  // namespace ym::cli
