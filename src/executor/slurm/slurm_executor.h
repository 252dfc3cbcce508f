// The executor `slurm`: attempts as jobs of an ordinary user of a Slurm cluster.
//
// Slurm is asked for little: to place a wrapper beside each task (sbatch), for one list of our jobs and one of the
// nodes now and then, however many jobs there are, and to take jobs away (scancel). What tasks do is heard from their
// wrappers (executor/remote). Slurm's word is doubted where it is known to be wrong: README.md lists how.
//
// What it starts outlives it: an executor made later finds its jobs again by their names, which are their tokens.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/secret.h"
#include "executor/executor.h"
#include "executor/remote/task_desk.h"

namespace ym {

// Who chooses the nodes of a job: the engine, by --nodelist; or Slurm.
enum class SlurmPlacement : std::uint8_t { ours, delegated };

// slurmrestd in place of the commands; what it cannot say is still asked of them.
struct SlurmRest {
  std::string url;   // "unix:/run/slurmrestd.sock" or "http://HOST:PORT"; empty: the commands alone
  std::string user;  // whose jobs they are, and whose token; empty: who runs this server
  Secret jwt;        // empty: the socket says who asks
  std::string version = "v0.0.38";
};

struct SlurmOptions {
  std::string cluster = "slurm";  // as Yardmaster calls it
  std::string conf;               // SLURM_CONF; empty: the system's
  std::string bin_dir;            // of sbatch and the others; empty: by PATH
  std::string partition;          // empty: Slurm's default
  std::string account, qos, reservation;
  SlurmPlacement placement = SlurmPlacement::ours;
  // Tells our jobs from those of another server of the same user: goes into their comments. Letters, digits, '-'.
  std::string instance = "default";
  std::string wrapper;     // ym-task, as the nodes see it
  std::string log_dir;     // on the nodes and here; empty: output goes nowhere
  std::string server_url;  // as the nodes reach it: "https://ym.example:8470"
  std::string ca_file;     // for an https server_url, as the nodes see it; empty: the system's
  SlurmRest rest{};

  Duration poll = seconds(16);  // of our jobs, where nothing is expected
  Duration node_poll = seconds(33);
  std::int64_t status_rpcs_a_minute = 11;  // of slurmctld, in the long run
  Duration command_timeout = seconds(20);
  Duration confirm = seconds(6);  // an accepted job that is missing before is not missed: its list may be older
  Duration forget = seconds(30);  // a job that was there and is missing for so long has ended
  Duration pending_patience = minutes(10);  // placed by us, and still not begun: given back. Never where Slurm places
  // A cluster that has not answered for so long is left by what has not begun: it may begin elsewhere.
  Duration leave_after = minutes(2);
  Duration node_settle{};             // after a lost node is back, until nothing can be left there; 0: by KillWait
  Duration time_margin = minutes(2);  // of --time, over limit and grace: the wrapper keeps the limit itself
  int submitters = 8;                 // at once
  remote::DeskOptions desk{};
};

// Precondition: the clock outlives the executor. Errors: `invalid`, for options that cannot be.
Result<std::unique_ptr<Executor>> make_slurm_executor(SlurmOptions options, const Clock& clock);

}  // namespace ym
