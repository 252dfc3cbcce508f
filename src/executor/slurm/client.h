// SlurmClient: what we ask of Slurm, by whatever way. Every call blocks, for `command_timeout` at most.
//
// An error of a question means that the answer is not known, never that there is nothing. Threads: any.
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

// One Slurm job that is to be made. Nothing of it is ever read by a shell, but for the script, which is ours.
struct Submission {
  std::string name, comment;
  std::int32_t nodes = 1, tasks_per_node = 1;
  std::int64_t cpus_per_task = 1;
  std::int64_t memory_mib = 0;  // a node; 0: not said
  std::string gpu_type;         // empty: any
  std::int64_t gpus_per_node = 0;
  std::vector<std::string> node_list;        // empty: Slurm's choice
  std::optional<std::int64_t> minutes;       // nothing: as long as may be
  std::optional<std::int64_t> warn_seconds;  // before the end, by SIGTERM
  std::string script;
};

struct SubmitTrouble {
  enum class Kind : std::uint8_t {
    unclear,   // there may be a job now, or soon
    refused,   // there is none; another time it may be taken
    permanent  // there is none, and never will be
  };
  Kind kind = Kind::unclear;
  std::string message;
};

// A job of ours as Slurm sees it: by id, name and submit time. An id alone is used again after a crash.
struct JobRow {
  std::int64_t id = 0;
  std::string name, state, reason, comment;
  std::string exit;  // "3:0", or the number that wait(2) gives
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
  std::vector<std::string> states;  // "IDLE", "DRAIN"; "NOT_RESPONDING" for Slurm's star
  std::string reason;
  std::optional<Instant> booted, registered;  // the machine, and slurmd on it
  bool operator==(const NodeRow&) const = default;
};

struct PartitionRow {
  bool is_default = false;
  std::optional<std::int64_t> most_minutes, most_nodes;  // nothing: no limit
  bool whole_nodes = false;                              // a job has its nodes alone, whatever it asks for
  bool operator==(const PartitionRow&) const = default;
};

// What changes with the configuration only.
struct Facts {
  std::string version;
  bool keeps_accounts = false;  // sacct knows jobs that the controller has forgotten
  bool preempts = false;
  bool whole_nodes = false;  // as PartitionRow has it, in all of them
  Duration kill_wait = seconds(30);
  std::map<std::string, PartitionRow> partitions;
  std::map<std::string, std::map<std::string, std::string>> topology;  // by node: labels
};

class SlurmClient {
 public:
  virtual ~SlurmClient() = default;

  // The id. It is not durable for some seconds: a controller that dies then forgets it.
  virtual std::expected<std::int64_t, SubmitTrouble> submit(const Submission& submission) = 0;
  // All jobs of this user whose name begins with "ym-", finished ones too while the controller knows them.
  virtual Result<std::vector<JobRow>> jobs() = 0;
  // Of these names, from the accounts: jobs submitted since then. Errors: `unavailable`, also where there are none.
  virtual Result<std::vector<JobRow>> history(std::span<const std::string> names, Instant since) = 0;
  virtual Result<std::vector<NodeRow>> nodes() = 0;
  virtual Result<Facts> facts() = 0;
  // `hard`: SIGKILL to all of it, where asking did not help. Of jobs that have ended: nothing happens.
  virtual Result<void> cancel(std::span<const std::int64_t> ids, bool hard) = 0;
};

}  // namespace ym::slurm
