#include "control/commit_pause.h"

#include <algorithm>
#include <utility>

namespace ym {

void CommitPause::failed(Time now) {
  const auto doubled = kFirst * (std::int64_t{1} << std::min<std::int64_t>(failures_, 10));
  failures_ += 1;
  until_ = now + std::min<std::chrono::milliseconds>(doubled, kLongest);
}

std::int64_t CommitPause::stored() {
  until_ = {};
  return std::exchange(failures_, 0);
}

}  // namespace ym
