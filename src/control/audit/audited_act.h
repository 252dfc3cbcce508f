// What a command does to what, in the words of the audit log.
#pragma once

#include <string>
#include <string_view>

#include "control/command.h"

namespace ym {

struct AuditedAct {
  std::string_view verb;  // "jobs.cancel": mostly the permission's name; more exact where that stands for several acts
  std::string object;     // "kind:name"; empty: the site
};

AuditedAct audited_act(const Command& command);

}  // namespace ym
