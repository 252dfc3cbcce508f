// Lists of jobs as squeue and sacct print them in the columns that we ask for. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client.h"

namespace ym::slurm {

inline constexpr std::string_view kNamePrefix = "ym-";

// The columns, for `squeue -O` and `sacct -o`. The comment comes last: it may hold anything.
std::string_view squeue_columns();
std::string_view sacct_columns();

// Only jobs with our prefix. Errors: `corrupt`, for a line that is none: then nothing of it is believed.
Result<std::vector<JobRow>> parse_squeue(std::string_view text);
Result<std::vector<JobRow>> parse_sacct(std::string_view text);

// "2026-11-24T00:08:27", as the commands print it with TZ=UTC. "N/A", "None", "Unknown": nothing.
std::optional<Instant> parse_slurm_time(std::string_view text);

// "a|b|c": without copies of what is between. The last field holds the rest.
std::vector<std::string_view> split(std::string_view text, char separator, std::size_t most = SIZE_MAX);

}  // namespace ym::slurm
