// SlurmClient: requests to Slurm, through commands or slurmrestd. Every call blocks, for at most `command_timeout`.
//
// An error of a query means that the answer is unknown, never that there is nothing. Threads: any.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ym::slurm {

// One Slurm job to submit. No shell reads any of it except the script, which Yardmaster writes.
struct Submission {
  std::string name, comment;
  std::int32_t nodes = 1, tasks_per_node = 1;
  std::int64_t cpus_per_task = 1;
  std::int64_t memory_mib = 0;  // for each node; 0: none requested
  std::string gpu_type;         // empty: any
  std::int64_t gpus_per_node = 0;
  std::vector<std::string> node_list;        // empty: Slurm chooses
  std::optional<std::int64_t> minutes;       // empty: as long as allowed
  std::optional<std::int64_t> warn_seconds;  // SIGTERM this long before the end
  std::string script;
};

struct SubmitError {
  enum class Kind : std::uint8_t {
    unclear,   // a job may exist now or soon
    refused,   // no job; a later try may succeed
    permanent  // no job, and a later try fails too
  };
  Kind kind = Kind::unclear;
  std::string message;
};

// One of this server's jobs as Slurm sees it, identified by id, name and submit time. After a crash Slurm may use an id
// again.
struct JobRow {
  std::int64_t id = 0;
  std::string name, state, reason, comment;
  std::string exit;  // "3:0", or a number as from wait(2)
  std::optional<Instant> submitted, started, ended, preempted;
  std::int64_t restarts = 0;
  std::vector<std::string> nodes;
  bool operator==(const JobRow&) const = default;
};

struct NodeRow {
  std::string name;
  std::int64_t cpus = 0, cpus_used = 0;
  std::int64_t memory_mib = 0, memory_mib_used = 0;
  std::string gres, gres_used;  // "gpu:h100:8(S:0-1)"
  std::vector<std::string> features, partitions;
  std::vector<std::string> states;  // "IDLE", "DRAIN"; "NOT_RESPONDING" for Slurm's *
  std::string reason;
  std::optional<Instant> booted, registered;  // of the machine, and of slurmd on it
  bool operator==(const NodeRow&) const = default;
};

struct PartitionRow {
  bool is_default = false;
  std::optional<std::int64_t> most_minutes, most_nodes;  // empty: no limit
  bool whole_nodes = false;                              // a job gets whole nodes, whatever it requests
  bool operator==(const PartitionRow&) const = default;
};

// Facts that change with Slurm's configuration only.
struct Facts {
  std::string version;
  bool keeps_accounts = false;  // sacct knows jobs that the controller has forgotten
  bool preempts = false;
  bool whole_nodes = false;  // as in PartitionRow, for all partitions
  Duration kill_wait = seconds(30);
  std::map<std::string, PartitionRow> partitions;
  std::map<std::string, std::map<std::string, std::string>> topology;  // labels by node
};

class SlurmClient {
 public:
  virtual ~SlurmClient() = default;

  // Returns the id. A new job is not durable for some seconds: a controller that dies in that time forgets it.
  virtual std::expected<std::int64_t, SubmitError> submit(const Submission& submission) = 0;
  // All jobs of this user with names that begin with "ym-", and ended ones while the controller knows them.
  virtual Result<std::vector<JobRow>> jobs() = 0;
  // Jobs with these names that were submitted since then, from the accounting. Errors: `unavailable`, also without
  // accounting.
  virtual Result<std::vector<JobRow>> history(std::span<const std::string> names, Instant since) = 0;
  virtual Result<std::vector<NodeRow>> nodes() = 0;
  virtual Result<Facts> facts() = 0;
  // `hard`: SIGKILL to all processes, after a normal cancel did not help. Does nothing to ended jobs.
  virtual Result<void> cancel(std::span<const std::int64_t> ids, bool hard) = 0;
};

}  // namespace ym::slurm
