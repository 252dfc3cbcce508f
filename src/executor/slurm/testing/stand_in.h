// StandIn: a wrapper for tests, a script that speaks through files, and the one who carries its words to the executor
// and back, as a server would. What tasks run is the script `code` in its folder.
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

  // Carries words from now on; `link` must outlive the next call of hush().
  void serve(TaskLink& link);
  // From now on nobody hears what wrappers say; they go on.
  void hush();

  std::string wrapper() const { return folder_ / "wrapper"; }
  const std::filesystem::path& folder() const { return folder_; }
  void code(const std::string& script) const;
  // A line for each start of user code: "TOKEN.TASK NODE GPUS".
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
  std::map<std::string, Task> tasks_;  // by the name of the claim's file
  std::atomic<bool> over_ = false;
  std::thread carrier_;
};

}  // namespace ym::slurm::testing
