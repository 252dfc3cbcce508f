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
#include <stdexcept>
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
  // A number that a task calls its process by: no such process is left, or only its zombie.
  virtual bool is_gone(int pid);
  // What one executor did is known to the next by itself. Where it is not, that knows what a server stores
  // (LiveAttempt) and no more.
  virtual bool keeps_state() const { return true; }
  // Whether its jobs are programs. Where they are none, of the suite's only those tests run that need none.
  virtual bool runs_programs() const { return true; }
  // How many attempts are launched at once where many are; a number that a test can wait for.
  virtual int many() const { return 1'000; }
  // The executor and what runs under this token do not hear of each other, from now on or no longer; false if that
  // cannot be had here.
  virtual bool cut_contact(const Token&, bool /*cut*/) { return false; }
  // Whether it says ContactIsLost of what it was cut off from; elsewhere the cluster still sees that.
  virtual bool misses_contact() const { return false; }
  // Of a gang that is launched from now on the cluster begins so many tasks, and no more; nothing: all again. False if
  // that cannot be had here.
  virtual bool begin_no_more_than(std::optional<int> /*tasks*/) { return false; }
  // Makes something of somebody else's that looks like what the executor would make for this token. Says whether it is
  // still there, until the host ends; null where there can be no such thing.
  virtual std::function<bool()> make_foreign(const Token&) { return nullptr; }

  // Where the log of a job of one task is, if jobs can put something else in its place; empty: they cannot.
  virtual std::filesystem::path log_file(const Token&) const { return {}; }

  // What a server would have stored of what was launched here.
  std::map<Token, LiveAttempt> stored;
};

// Thrown where a host is made: there is none here, and each test of the suite is skipped, saying why.
struct HostIsMissing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `wanted`: by a test's name; without it all are.
bool register_executor_conformance(const std::string& name, std::function<std::unique_ptr<ExecutorHost>()> make_host,
                                   const std::function<bool(const std::string&)>& wanted = {});

}  // namespace ym::testing
