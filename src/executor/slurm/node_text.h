// `scontrol -d show node -o`, `show topology -o`, `show config` and `show partition -o`. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client.h"

namespace ym::slurm {

// A line of NAME=VALUE pairs. A value may hold blanks: it goes on to the next word that is a name and '='.
std::map<std::string, std::string> parse_pairs(std::string_view line);

// Errors: `corrupt`, for a line without a node's name, or one with nonsense for a number.
Result<std::vector<NodeRow>> parse_nodes(std::string_view text);

// Labels by node: of a tree "switch", the innermost, and "switch-1", ... outwards; of blocks "block".
std::map<std::string, std::map<std::string, std::string>> parse_topology(std::string_view text);

// Errors: `corrupt`: no version is there.
Result<Facts> parse_config(std::string_view text);
std::map<std::string, PartitionRow> parse_partitions(std::string_view text);

// "2-00:00:00", "30", "01:00:00" in minutes, rounded up; "UNLIMITED", "infinite": nothing.
std::optional<std::int64_t> parse_minutes(std::string_view text);

// GPUs of "gpu:h100:8(S:0-1),gpu:a100:4,shard:32": by type, "" for those without one. Of "gpu:h100:3(IDX:0-2)" too.
std::map<std::string, std::int64_t> parse_gpus(std::string_view gres);

}  // namespace ym::slurm
