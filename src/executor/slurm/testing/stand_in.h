// StandIn: an agent for tests: a script that communicates through files, and a carrier that brings its reports to the
// executor and the answers back, as a server does. Each task runs the script `code` in its folder.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/time.h"
#include "executor/remote/wire.h"
#include "executor/task_link.h"

namespace ym::slurm::testing {

class StandIn {
 public:
  explicit StandIn(std::filesystem::path folder);
  ~StandIn();

  // Carries reports from now on; `link` must outlive the next call of hush().
  void serve(TaskLink& link);
  // From now on no report arrives; the agents go on.
  void hush();

  std::string agent_path() const { return folder_ / "wrapper"; }
  const std::filesystem::path& folder() const { return folder_; }
  void code(const std::string& script) const;
  // One line for each start of user code: "TOKEN.TASK NODE GPUS".
  std::vector<std::string> ran() const;

 private:
  struct Task {
    TaskKey key;
    remote::TaskReport report;
    Instant told;
  };
  void carry(TaskLink& link);
  void find_claims();
  void visit(const std::string& name, Task& task, TaskLink& link) const;

  std::filesystem::path folder_;
  std::map<std::string, Task> tasks_;  // by the file name of the claim
  std::atomic<bool> over_ = false;
  std::thread carrier_;
};

}  // namespace ym::slurm::testing
