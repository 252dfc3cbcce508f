// The conformance suite of executors.
//
//   const bool registered = ym::testing::register_executor_conformance("local", [] { return ...; });
//
// at namespace scope of an executor's test adds one test for each promise of executor.h.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "executor/executor.h"

namespace ym::testing {

// A cluster that outlives the executors made for it.
class ExecutorHost {
 public:
  virtual ~ExecutorHost() = default;

  // Precondition: no executor made before still exists. What those started goes on.
  virtual std::unique_ptr<Executor> make() = 0;
  // One of at least four nodes, from 0.
  virtual Node node(int number) = 0;
  // A folder that tasks and tests share.
  virtual std::filesystem::path scratch() const = 0;
  // What runs a line of shell there. The suite's jobs need sh, sleep and kill.
  virtual Program shell(const std::string& line) const { return {Program::Form::shell, {line}}; }
  // How user code, and what runs beside a task elsewhere, reaches its server.
  virtual std::optional<JobContact> contact(const Token&) { return std::nullopt; }
  // Kills what watches over a task, as if it had crashed; false if there is no such thing.
  virtual bool kill_watcher(const Token&, std::int32_t) { return false; }

  // What a server would have stored of what was launched here.
  std::map<Token, LiveAttempt> stored;
};

bool register_executor_conformance(const std::string& name, std::function<std::unique_ptr<ExecutorHost>()> make_host);

}  // namespace ym::testing
