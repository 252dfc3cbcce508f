// Reasons: what an event says for itself when whoever staged it gave no better words.
//
// Every event has a reason: it is the audit record, and a transition without a "why" is
// half of one.
#pragma once

#include <string>
#include <string_view>

#include "model/event.h"

namespace ym {

// Never empty. `actor` is the event's.
std::string plain_reason(std::string_view actor, const EventPayload& payload);

// "exit code 3", "killed by signal 9", or the message that the executor gave.
std::string describe(const TaskExit& exit);

}  // namespace ym
