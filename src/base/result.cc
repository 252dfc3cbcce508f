#include "base/result.h"

#include "base/assert.h"

namespace ym {

std::string_view to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid: return "invalid";
    case ErrorCode::unauthenticated: return "unauthenticated";
    case ErrorCode::forbidden: return "forbidden";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::conflict: return "conflict";
    case ErrorCode::ambiguous: return "ambiguous";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::rate_limited: return "rate_limited";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::corrupt: return "corrupt";
    case ErrorCode::io: return "io";
    case ErrorCode::internal: return "internal";
  }
  YM_ASSERT(false);
  return {};
}

}  // namespace ym
