// TaskLink: how tasks that run elsewhere reach the executor that launched them.
//
// Beside each task runs a wrapper (executor/remote/wrapper), which knows the server's address. It
// says all that the server has to know of the task, again and again (JSON, executor/remote/wire.h),
// and is answered with all that it has to do: both are states, not news, so that nothing is lost
// with a message. Its requests come in by the API, which does not read them.
//
// Threads: any.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/ids.h"

namespace ym {

struct TaskKey {
  AttemptKey attempt;
  std::int32_t task = 0;
};

class TaskLink {
 public:
  virtual ~TaskLink() = default;

  // Takes the report in, and answers with the orders as they are now. Errors: `invalid` (it is no
  // report), `not_found` (the attempt has ended, or never was: whoever asks must end, and what it
  // started too), `conflict` (another has the task: whoever asks must end without a trace),
  // `unavailable` (ask again: nothing is to end).
  virtual Result<std::string> report(const TaskKey& task, std::string_view report) = 0;
  // Orders again, without a report, if they are newer than `version`; nothing: they are not.
  // Errors: as report().
  virtual Result<std::optional<std::string>> orders(const TaskKey& task, std::string_view nonce,
                                                    std::uint64_t version) = 0;
  // `wake` is called, from any thread, when the orders of one of its tasks may have changed; until
  // the handle is destroyed. It must return quickly and not call back.
  virtual std::shared_ptr<void> watch(const AttemptKey& attempt, std::function<void()> wake) = 0;
};

}  // namespace ym
