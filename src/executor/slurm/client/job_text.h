// Parses job lists of squeue and sacct in the columns requested here. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client/client.h"

namespace ym::slurm {

inline constexpr std::string_view kNamePrefix = "ym-";

// The columns, for `squeue -O` and `sacct -o`. The comment is last, because it may contain anything.
std::string_view squeue_columns();
std::string_view sacct_columns();

// Only jobs with the prefix. Errors: `corrupt`: a line is invalid; then the whole list is ignored.
Result<std::vector<JobRow>> parse_squeue(std::string_view text);
Result<std::vector<JobRow>> parse_sacct(std::string_view text);

// "2026-11-24T00:08:27", as the commands print it with TZ=UTC. "N/A", "None", "Unknown": empty.
std::optional<Instant> parse_slurm_time(std::string_view text);

// "a|b|c". The fields are views of `text`. The last field has the rest.
std::vector<std::string_view> split(std::string_view text, char separator, std::size_t most = SIZE_MAX);

}  // namespace ym::slurm
