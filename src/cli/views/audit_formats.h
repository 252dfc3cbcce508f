// Records of the audit log in the formats of other systems, one line each.
//
// Sources: Kubernetes `audit.k8s.io/v1`; DMTF DSP0262 (CADF 1.0); OCSF 1.5 (classes 3002, 3005 and 6003); ArcSight CEF.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "base/enum_names.h"

namespace ym::cli {

enum class AuditFormat : std::uint8_t { jsonl, k8s, cadf, ocsf, cef };
constexpr std::string_view to_string(AuditFormat value) {
  switch (value) {
    case AuditFormat::jsonl: return "jsonl";
    case AuditFormat::k8s: return "k8s";
    case AuditFormat::cadf: return "cadf";
    case AuditFormat::ocsf: return "ocsf";
    case AuditFormat::cef: return "cef";
  }
  return {};
}

// `record`: as GET /api/v1/audit shows it. The line has no end.
std::string audit_line(const boost::json::value& record, AuditFormat format);

}  // namespace ym::cli
