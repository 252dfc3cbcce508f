#include "executor/remote/agent/bearer.h"

#include <fstream>
#include <iterator>
#include <utility>

namespace ym::remote {

Secret Bearer::first() const {
  if (file_.empty()) return first_;
  std::ifstream file(file_, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return Secret{std::move(text)};
}

Secret Bearer::now() const {
  {
    const std::lock_guard lock{mutex_};
    if (!takes_first_) return renewed_;
  }
  return first();
}

void Bearer::renew(Secret token) {
  const std::lock_guard lock{mutex_};
  if (token.reveal() == renewed_.reveal()) return;
  renewed_ = std::move(token);
  takes_first_ = renewed_.empty();
}

// Several requests may be refused at once: only the first one changes the choice.
void Bearer::refused(const Secret& shown) {
  const std::lock_guard lock{mutex_};
  const bool was_renewed = !renewed_.empty() && shown.reveal() == renewed_.reveal();
  takes_first_ = was_renewed || renewed_.empty();
}

}  // namespace ym::remote
