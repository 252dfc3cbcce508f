// The ports of a server: what can be asked of it beside its state (reads.h). One that leads does it, one that stands by
// refuses.
//
// All of them are thread-safe. Who asks comes first; rights are checked by the server once there are any, until then
// it decides nothing.
#pragma once

#include <optional>

#include "control/command.h"
#include "control/commands/token_commands.h"
#include "control/replies.h"
#include "control/views.h"

namespace ym {

// What changes something.
class Commands {
 public:
  virtual ~Commands() = default;

  // Queues a command; `reply` comes later, from the control thread; at once and from this one, with
  // `unavailable`, where nothing can be stored for long.
  virtual void execute(Caller caller, Command command, Reply reply) = 0;
  // A change is stored before it is answered. Errors: as change_of; `unavailable`.
  virtual void change_tokens(const Caller& caller, TokenCommand command, TokenAnswer answer) = 0;
};

// What the engine has to say.
class Advice {
 public:
  virtual ~Advice() = default;

  // Why a job waits, or is where it is. Errors: `not_found` if the job is unknown.
  virtual Result<Explanation> why(const Caller& caller, JobId id) = 0;
  // What a change of policy would do; nothing is changed. Errors: `unavailable`, `rate_limited`.
  virtual void compare(const Caller& caller, engine::PolicyChange change, CompareReply reply) = 0;
};

// What the tasks of attempts say and are told.
class Tasks {
 public:
  virtual ~Tasks() = default;

  // Of a live attempt whose tasks run elsewhere; it lives as long as the server. Errors, of its calls too:
  // `not_found`, after which user code is ended; `unavailable` where that cannot be said for certain.
  virtual Result<TaskLink*> task_link(const Caller& caller, AttemptKey attempt) = 0;
  // Nothing: it is not to stop (Reads::listen tells when that changes). Errors: `not_found`.
  virtual Result<std::optional<Notice>> notice(const Caller& caller, AttemptKey attempt) = 0;
  // Reads without making anybody wait: `reply` comes later, mostly from another thread. Errors: those of
  // Executor::read_log; `unavailable`, too, if too many wait.
  virtual void read_log(const Caller& caller, LogQuery query, LogReply reply) = 0;
};

}  // namespace ym
