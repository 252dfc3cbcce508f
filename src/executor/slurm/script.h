// The batch script of a part: constant but for quoted words of ours. No field of a job is in it. Pure.
//
// A shell runs it; or ym-task itself, for a part of one task where the wrapper is called so
// (remote/wrapper/script_settings.h).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "base/time.h"
#include "executor/remote/wire.h"
#include "executor/slurm/parts.h"

namespace ym::slurm {

// The script ends with these where the wrapper could not be started.
inline constexpr int kNoLogFolder = remote::kNoOutputExit;
inline constexpr int kNoWrapper = 126, kWrapperMissing = 127;

// What the wrappers of a part are told.
struct WrapperContact {
  std::string task_url;  // YM_TASK_URL
  Secret token;          // YM_TASK_TOKEN
  Token launch;
  std::string ca_file;
  Duration kill_wait;  // between Slurm's SIGTERM and its SIGKILL
};

// "<log_dir>/<job>/<attempt>"; in it are the logs of its tasks, "<first task of the part>+<task in it>.log".
std::string log_folder(const std::string& log_dir, const AttemptKey& attempt);
// It and what is between, the outer first: each is to be its owner's alone (0700), and the logs too (0600).
std::array<std::string, 2> log_folders(const std::string& log_dir, const AttemptKey& attempt);

// `step`: the wrappers are started by srun, so that Slurm's own signals reach them (a batch script's do not, when a
// job is preempted); parts of several tasks always are. `placed`: the nodes of the part are named.
std::string make_script(const Part& part, const WrapperContact& contact, const SlurmOptions& options, bool step,
                        bool placed);

// 'it'\''s': one word for a shell, whatever it holds.
std::string quoted(std::string_view word);

}  // namespace ym::slurm
