// The batch script of a part: constant except for quoted values of Yardmaster. It contains no field of a job. Pure.
//
// A shell runs it, or ym-task itself for a part with one task, if the agent has that name
// (remote/agent/script_settings.h).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "base/time.h"
#include "executor/remote/wire.h"
#include "executor/slurm/jobs/parts.h"

namespace ym::slurm {

// Exit codes of the script if the agent could not be started.
inline constexpr int kNoLogFolder = remote::kNoOutputExit;
inline constexpr int kAgentNotExecutable = 126, kAgentMissing = 127;

// Settings for the agents of a part.
struct AgentContact {
  std::string task_url;  // YM_TASK_URL
  Secret token;          // YM_TASK_TOKEN
  Token launch;
  std::string ca_file;
  Duration kill_wait;  // between Slurm's SIGTERM and its SIGKILL
};

// "<log_dir>/<job>/<attempt>"; it contains the logs of its tasks, "<first task of the part>+<task in it>.log".
std::string log_folder(const std::string& log_dir, const AttemptKey& attempt);
// This folder and the one above it, the outer first. Both are for their owner alone (0700), and so are the logs (0600).
std::array<std::string, 2> log_folders(const std::string& log_dir, const AttemptKey& attempt);

// `step`: srun starts the agents, so that Slurm's own signals reach them (a batch script does not get them on
// preemption). Parts of several tasks always use it. `placed`: the nodes of the part are given.
std::string make_script(const Part& part, const AgentContact& contact, const SlurmOptions& options, bool step,
                        bool placed);

// 'it'\''s': one word for a shell, whatever it contains.
std::string quoted(std::string_view word);

}  // namespace ym::slurm
