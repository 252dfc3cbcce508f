// The program of a job: its words, its environment, and a name made from it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/job_spec.h"
#include "spec/text/field.h"

namespace ym::spec {

// Limit of execve on Linux: 128 KiB for each word, including its NUL.
inline constexpr std::size_t kMaxWordBytes = (std::size_t{128} << 10) - 1;
inline constexpr std::size_t kMaxWords = 4'096;
inline constexpr std::size_t kMaxProgramBytes = std::size_t{256} << 10;
inline constexpr std::size_t kMaxVariables = 1'000;
inline constexpr std::size_t kMaxEnvironmentBytes = std::size_t{128} << 10;

// A list is the argument vector; numbers and booleans keep their spelling. A string is for `sh -c`.
std::optional<Program> read_program(const Field& field);

std::optional<std::map<std::string, std::string>> read_environment(const Field& field);

// The program's script, otherwise its first word, as a valid job name: `python /data/train.py --lr 1` -> "train".
std::string name_of(const Program& program);

}  // namespace ym::spec
