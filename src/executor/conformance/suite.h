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

  // Precondition: no earlier executor exists any more. What the earlier ones started goes on.
  virtual std::unique_ptr<Executor> make() = 0;
  // One of at least four nodes, numbered from 0.
  virtual Node node(int number) = 0;
  // A folder that tasks and tests share.
  virtual std::filesystem::path scratch() const = 0;
  // The program for a line of shell there. The jobs of the suite need sh, sleep and kill.
  virtual Program shell(const std::string& line) const { return {Program::Form::shell, {line}}; }
  // Address of the server for user code, and for task agents on other machines.
  virtual std::optional<JobContact> contact(const Token&) { return std::nullopt; }
  // Kills the supervisor of a task, as if it had crashed. False: it has none.
  virtual bool kill_watcher(const Token&, std::int32_t) { return false; }
  // `pid` as the task sees it: the process has ended, or only its zombie is left.
  virtual bool is_gone(int pid);
  // Whether a later executor knows by itself what an earlier one did. Otherwise it knows only what a server stores
  // (LiveAttempt).
  virtual bool keeps_state() const { return true; }
  // Whether its jobs are programs. If not, only those tests run that need no programs.
  virtual bool runs_programs() const { return true; }
  // Number of attempts in the test of many launches; small enough to wait for.
  virtual int many() const { return 1'000; }
  // Cuts or restores the contact between the executor and the tasks of this token. False: not possible here.
  virtual bool cut_contact(const Token&, bool /*cut*/) { return false; }
  // Whether the executor reports ContactIsLost after the cut. On clusters the cluster still sees the tasks.
  virtual bool misses_contact() const { return false; }
  // The cluster begins at most this number of tasks of gangs that are launched from now on. Empty: all tasks. False:
  // not possible here.
  virtual bool begin_no_more_than(std::optional<int> /*tasks*/) { return false; }
  // Makes a foreign object that looks like what the executor would make for this token. The returned function says
  // whether it still exists; valid until the host ends. Null: there are no such objects.
  virtual std::function<bool()> make_foreign(const Token&) { return nullptr; }

  // Path of the log of a job with one task, if jobs can replace that file. Empty: they cannot.
  virtual std::filesystem::path log_file(const Token&) const { return {}; }

  // What a server would have stored of the launches.
  std::map<Token, LiveAttempt> stored;
};

// Thrown by make_host if there is no such host here: each test of the suite is skipped, with the reason.
struct HostIsMissing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// `wanted`: selects tests by name; without it all tests run.
bool register_executor_conformance(const std::string& name, std::function<std::unique_ptr<ExecutorHost>()> make_host,
                                   const std::function<bool(const std::string&)>& wanted = {});

}  // namespace ym::testing
