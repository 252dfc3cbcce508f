// AuditOutcome: what became of a request in the audit log.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/enum_names.h"

namespace ym {

enum class AuditOutcome : std::uint8_t {
  done,
  refused  // the caller was not known, or had no right
};
constexpr std::string_view to_string(AuditOutcome value) {
  switch (value) {
    case AuditOutcome::done: return "done";
    case AuditOutcome::refused: return "refused";
  }
  return {};
}

}  // namespace ym
