// TaskLink: connects tasks on other machines with the executor that launched them.
//
// Beside each task runs a task agent (executor/remote/agent) that knows the address of the server. It sends reports
// again and again (JSON, executor/remote/wire.h). A report is the whole state of the task, and the answer has all
// orders for it. So a lost message loses nothing. The requests arrive through the API, which does not read them.
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

  // Takes a report and returns the current orders. Errors: `invalid` (not a report); `not_found` (the attempt has ended
  // or never existed: the agent must end, with all processes that it started); `conflict` (another agent has the task:
  // this one must end without a trace); `unavailable` (ask again, and end nothing).
  virtual Result<std::string> report(const TaskKey& task, std::string_view report) = 0;
  // The orders, if they are newer than `version`; else empty. Errors: as report().
  virtual Result<std::optional<std::string>> orders(const TaskKey& task, std::string_view nonce,
                                                    std::uint64_t version) = 0;
  // Calls `wake`, from any thread, when the orders of a task of the attempt may have changed, until the handle is
  // destroyed. `wake` must return quickly and must not call back.
  virtual std::shared_ptr<void> watch(const AttemptKey& attempt, std::function<void()> wake) = 0;
};

}  // namespace ym
