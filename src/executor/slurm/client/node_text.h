// Parses `scontrol -d show node -o`, `show topology -o`, `show config` and `show partition -o`. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client/client.h"

namespace ym::slurm {

// A line of NAME=VALUE pairs. A value may contain blanks: it ends at the next word with a name and '='.
std::map<std::string, std::string> parse_pairs(std::string_view line);

// Errors: `corrupt`: a line has no node name, or an invalid number.
Result<std::vector<NodeRow>> parse_nodes(std::string_view text);

// Labels by node. For a tree: "switch" for the innermost, then "switch-1", ... outwards; for blocks: "block".
std::map<std::string, std::map<std::string, std::string>> parse_topology(std::string_view text);

// Errors: `corrupt`: it has no version.
Result<Facts> parse_config(std::string_view text);
std::map<std::string, PartitionRow> parse_partitions(std::string_view text);

// "2-00:00:00", "30", "01:00:00" in minutes, rounded up; "UNLIMITED", "infinite": empty.
std::optional<std::int64_t> parse_minutes(std::string_view text);

// Number of GPUs in "gpu:h100:8(S:0-1),gpu:a100:4,shard:32", by type; "" for GPUs without one. Also of
// "gpu:h100:3(IDX:0-2)".
std::map<std::string, std::int64_t> parse_gpus(std::string_view gres);

}  // namespace ym::slurm
