// Records of requests as JSON.
#pragma once

#include "api/json/writer.h"
#include "control/audit/verification.h"
#include "model/event.h"

namespace ym::api {

// Precondition: `request` is the event's payload.
void write_audit(JsonWriter& json, const Event& event, const RequestAudited& request);

// The members of it, without the braces.
void write_verification(JsonWriter& json, const VerifiedPart& part);

}  // namespace ym::api
