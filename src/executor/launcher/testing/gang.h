// For tests: a gang of two tasks on this machine.
#pragma once

#include <optional>
#include <vector>

#include "executor/launcher/launcher.h"

namespace ym::testing {

struct GangContext {
  JobSpec spec{.name = "train", .run = {Program::Form::argv, {"train.py", "--x", "1"}}, .workdir = "/w", .nodes = 2};
  std::vector<TaskSite> sites{{"127.0.0.1", {"0", "1"}}, {"127.0.0.1", {}}};
  std::optional<std::int32_t> group_index;
  Environment executor_env;
  std::optional<Checkpoint> resumes_from;

  Result<LaunchCommand> make() const {
    return make_launch_command({.token = {JobId{33}, 2, 7},
                                .spec = spec,
                                .job_name = "train-3",
                                .group_index = group_index,
                                .sites = sites,
                                .port = 20123,
                                .base_env = {{"PATH", "/bin"}, {"HOME", "/root"}},
                                .executor_env = executor_env,
                                .resumes_from = resumes_from});
  }
  LaunchCommand command() const { return make().value(); }
};

}  // namespace ym::testing
