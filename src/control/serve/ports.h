// The ports of a server: its operations beside reads of its state (reads.h). A leading server carries them out; a
// standby refuses them.
//
// All calls are thread-safe. The caller is the first argument. The rights of commands are checked
// here.
#pragma once

#include <optional>

#include "control/audit/audit_intake.h"
#include "control/command.h"
#include "control/replies.h"
#include "control/views.h"

namespace ym {

// Operations that change state.
class Commands {
 public:
  virtual ~Commands() = default;

  // Queues a command. `reply` is called later, from the control thread. If the store has not answered for long, `reply`
  // is called at once, from this thread, with `unavailable`.
  virtual void execute(Caller caller, Command command, Reply reply) = 0;
  // Records a request that is not a command: it was refused, or read what belongs to others. The record is stored soon.
  virtual void note(AuditRecord record) = 0;
};

// Answers of the engine.
class Advice {
 public:
  virtual ~Advice() = default;

  // Why a job waits, or why it is where it is. Errors: `not_found` if the job is unknown.
  virtual Result<Explanation> why(const Caller& caller, JobId id) = 0;
  // Finds the effect of a change of policy without making it. Errors: `unavailable`, `rate_limited`.
  virtual void compare(const Caller& caller, engine::PolicyChange change, CompareReply reply) = 0;
};

// Reports of tasks, and orders to them.
class Tasks {
 public:
  virtual ~Tasks() = default;

  // The link of a live attempt's remote tasks. It lives as long as the server. Errors, also of the link's calls:
  // `not_found`, after which user code is ended; `unavailable` if that is not certain.
  virtual Result<TaskLink*> task_link(const Caller& caller, AttemptKey attempt) = 0;
  // Nothing: the attempt is not to stop (Reads::listen tells when that changes). Errors: `not_found`.
  virtual Result<std::optional<Notice>> notice(const Caller& caller, AttemptKey attempt) = 0;
  // Reads a log and blocks no thread that serves others: `reply` is called later, mostly from another thread. Errors:
  // those of Executor::read_log; `unavailable` also if too many queries wait.
  virtual void read_log(const Caller& caller, LogQuery query, LogReply reply) = 0;
};

}  // namespace ym
