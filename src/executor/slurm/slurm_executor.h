// The executor `slurm`: attempts as jobs of an ordinary user of a Slurm cluster.
//
// It uses little of Slurm: sbatch places an agent beside each task, scancel ends jobs, and two lists, of its jobs and
// of the nodes, are polled, whatever the number of jobs. Reports about tasks come from their agents (executor/remote).
// README.md lists when Slurm's answers are known to be wrong and are not trusted.
//
// Jobs outlive the executor: a later one finds them by their names, which contain their tokens.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/secret.h"
#include "executor/executor.h"
#include "executor/remote/task_registry.h"

namespace ym {

// What chooses the nodes of a job: `ours`: the engine, through --nodelist; `delegated`: Slurm.
enum class SlurmPlacement : std::uint8_t { ours, delegated };

// slurmrestd in place of the commands; the commands still do what it cannot.
struct SlurmRest {
  std::string url;   // "unix:/run/slurmrestd.sock" or "http://HOST:PORT"; empty: commands only
  std::string user;  // owner of the jobs and the token; empty: the user of this server
  Secret jwt;        // empty: the socket identifies the user
  std::string version = "v0.0.38";
};

struct SlurmOptions {
  std::string cluster = "slurm";  // Yardmaster's name for it
  std::string conf;               // SLURM_CONF; empty: the system's
  std::string bin_dir;            // folder of sbatch and the others; empty: PATH
  std::string partition;          // empty: Slurm's default
  std::string account, qos, reservation;
  SlurmPlacement placement = SlurmPlacement::ours;
  // Tells this server's jobs from those of another server of the same user: it goes into their comments. Letters,
  // digits, '-'.
  std::string instance = "default";
  std::string wrapper;     // path of ym-task on the nodes
  std::string log_dir;     // shared by nodes and this machine; empty: output is discarded
  std::string server_url;  // for the nodes: "https://ym.example:8470"
  std::string ca_file;     // for an https server_url, path on the nodes; empty: the system's
  SlurmRest rest{};

  Duration poll = seconds(16);  // of the jobs, while no change is expected
  Duration node_poll = seconds(33);
  std::int64_t status_rpcs_a_minute = 11;  // to slurmctld, in the long run
  Duration command_timeout = seconds(20);
  Duration confirm = seconds(6);           // an accepted job may be missing from lists for this time
  Duration forget = seconds(30);           // a listed job that is missing for this time has ended
  Duration pending_timeout = minutes(10);  // until a placed job that has not begun is given up; not if Slurm places
  // Attempts that have not begun leave a cluster that has not answered for this time: they may begin on another.
  Duration leave_after = minutes(2);
  Duration node_settle{};             // after a lost node is back, until nothing is left there; 0: by KillWait
  Duration time_margin = minutes(2);  // of --time, above limit and grace: the agent applies the limit itself
  int submitters = 8;                 // parallel submissions
  remote::RegistryOptions registry{};
};

// Precondition: the clock outlives the executor. Errors: `invalid`: invalid options.
Result<std::unique_ptr<Executor>> make_slurm_executor(SlurmOptions options, const Clock& clock);

}  // namespace ym
