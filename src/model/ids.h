// Ids: job ids, attempt keys, launch tokens.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/strong_id.h"

namespace ym {

using JobId = StrongId<struct JobTag>;
using GroupId = StrongId<struct GroupTag>;  // of an array; same sequence as jobs
using SpecId = StrongId<struct SpecTag>;

std::string to_string(JobId id);
std::string to_string(GroupId id);
std::optional<JobId> parse_job_id(std::string_view text);

// One execution of a job. Attempts count from 1.
struct AttemptKey {
  JobId job;
  std::int32_t number = 0;
  auto operator<=>(const AttemptKey&) const = default;
};

// Identifies a launch, so that it happens at most once on any executor. It is in the pod's name, the Slurm job's name
// and the local folder. `epoch` is the leader's epoch in which the intent to launch was committed. It is stored with
// the attempt and never recomputed. Written "job.attempt.epoch".
struct Token {
  JobId job;
  std::int32_t attempt = 0;
  std::uint64_t epoch = 0;
  auto operator<=>(const Token&) const = default;
  AttemptKey key() const { return {job, attempt}; }
};

std::string to_string(const Token& token);
std::optional<Token> parse_token(std::string_view text);

}  // namespace ym
