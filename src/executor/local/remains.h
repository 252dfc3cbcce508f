// What a task leaves behind when its supervisor was killed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "executor/local/attempt/gate.h"

namespace ym::local {

// Sends SIGKILL to everything that still belongs to the task and returns how much of it
// there was. Belonging: being in its control groups, being its recorded leader (by
// start time, never by number alone), carrying its launch token and rank in the
// environment, or having a wiped environment in its leader's session. Call it until it
// finds nothing. Precondition: the claim is of this boot.
std::size_t kill_remains(const Claim& claim, const std::optional<ProcessIdentity>& leader);

// True if an environment (as /proc/PID/environ has it) is that of this task.
bool carries_token(const std::string& environ, const Token& token, std::int32_t task);

// True if it does not look like an environment: empty, or overwritten by a program that
// uses the room to show a title.
bool wiped(const std::string& environ);

}  // namespace ym::local
