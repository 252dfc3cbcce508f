// FencedTaskLink: the TaskLink of an executor, with a check of its errors.
//
// A task agent that gets `not_found` or `conflict` ends the user code beside it. So each error goes through the fence,
// which returns the error to answer.
//
// Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "executor/task_link.h"

namespace ym {

class FencedTaskLink final : public TaskLink {
 public:
  // Called from any thread.
  using Fence = std::function<Error(Error)>;

  // `link` must outlive it.
  FencedTaskLink(TaskLink& link, Fence fence) : link_(link), fence_(std::move(fence)) {}

  Result<std::string> report(const TaskKey& task, std::string_view report) override {
    return fenced(link_.report(task, report));
  }
  Result<std::optional<std::string>> orders(const TaskKey& task, std::string_view nonce,
                                            std::uint64_t version) override {
    return fenced(link_.orders(task, nonce, version));
  }
  std::shared_ptr<void> watch(const AttemptKey& attempt, std::function<void()> wake) override {
    return link_.watch(attempt, std::move(wake));
  }

 private:
  template <class T>
  Result<T> fenced(Result<T> answer) const {
    if (answer) return answer;
    return std::unexpected(fence_(std::move(answer.error())));
  }

  TaskLink& link_;
  const Fence fence_;
};

}  // namespace ym
