// Session: an executor under test, with all its observations. It does the work of control: it opens launch barriers,
// and the host remembers launches.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "executor/conformance/suite.h"

namespace ym::testing {

class Session {
 public:
  // Throws if the executor cannot be made or started.
  explicit Session(ExecutorHost& host, std::vector<Token> live = {});
  // After the state was set back: the session knows nothing of these tokens except what the executor finds. `adopted`
  // become attempts again.
  struct SetBack {
    std::vector<Token> lost;
    std::vector<Token> adopted{};
  };
  Session(ExecutorHost& host, const SetBack& state);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Executor& executor() { return *executor_; }

  // Launches a gang with `line` as the program of each task.
  void launch(const Token& token, const std::string& line, int tasks = 1);
  void launch(const Token& token, JobSpec spec);
  void launch(LaunchRequest request);
  // The same for a request with more than a spec.
  LaunchRequest request(const Token& token, JobSpec spec);

  // Waits, at most 60 s, until `holds` is true of the observations of a token. Otherwise throws, with all observations.
  using Seen = std::vector<Observation>;
  void wait(const Token& token, const std::string& what, const std::function<bool(const Seen&)>& holds);
  void wait_running(const Token& token, int tasks = 1);
  // The exits of all tasks, in task order.
  std::vector<TaskExit> wait_ended(const Token& token, int tasks = 1);
  TaskExit wait_end(const Token& token) { return wait_ended(token).front(); }
  LaunchRefused wait_refused(const Token& token);
  // Waits for such a report.
  ProgressReport wait_progress(const Token& token, const std::function<bool(const ProgressReport&)>& is_it);
  void wait_unknown(const Token& token);

  // The launches in `lost` that the executor found.
  const std::vector<LostLaunch>& lost() const { return lost_; }

  // Whether launch barriers are opened; true at first.
  void let_in(bool yes);

  Seen seen(const Token& token);
  std::string log(const Token& token, std::int32_t task = 0);

 private:
  void start(const std::vector<LiveAttempt>& live);
  void look_for(const std::vector<Token>& lost);
  void close();
  void take(Observation observation);
  void open_barriers();
  LiveAttempt stored(const Token& token);
  void remember(const LaunchRequest& request);

  ExecutorHost& host_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Token, Seen> seen_;                                     // under mutex_
  std::vector<std::pair<Token, std::vector<TaskClaim>>> waiting_;  // under mutex_
  bool lets_in_ = true, over_ = false;                             // under mutex_
  std::unique_ptr<Executor> executor_;
  std::vector<LostLaunch> lost_;
  std::thread barrier_opener_;  // observers must not call back
};

template <class What>
std::size_t count(const Session::Seen& seen) {
  std::size_t n = 0;
  for (const auto& o : seen) n += std::holds_alternative<What>(o.what) ? 1 : 0;
  return n;
}

std::string describe(const Session::Seen& seen);

// A condition outside the executor, such as a file that a job creates.
void wait_until(const std::string& what, const std::function<bool()>& holds);

// This machine has no such process, or only its zombie.
bool is_gone(int pid);

std::vector<std::string> lines_of(const std::filesystem::path& file);

}  // namespace ym::testing
