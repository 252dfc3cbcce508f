// Amounts of resources as job files and configuration write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "spec/field.h"

namespace ym::spec {

// `gpus: 2` or "t4:2". Types are read in lower case, so that H100 is h100.
struct GpuCount {
  std::string type;  // empty: any
  std::int64_t count = 0;
};
std::optional<GpuCount> read_gpus(const Field& field, std::int64_t max);
// The same of a text that is the field's, or a part of it.
std::optional<GpuCount> read_gpus(const Field& field, const std::string& text, std::int64_t max);
// "T4:2" -> "t4" and "2"; without a colon all of it is the second.
std::pair<std::string, std::string> split_gpu_type(const std::string& text);
// MIG slices of one profile: "1g.10gb" or "1g.10gb:2". Nothing: that names none. The count is not checked.
struct SliceCount {
  std::string profile;
  std::int64_t count = 1;
};
std::optional<SliceCount> parse_slices(const std::string& text);
std::optional<std::string> read_gpu_type(const Field& field);

// "4", 0.5, "500m" -> thousandths. "96+" is read as 96: an amount is always the least
// that is wanted.
std::optional<std::int64_t> read_cpus(const Field& field);
// "64GiB", "800GB+", or a number of bytes.
std::optional<std::int64_t> read_bytes(const Field& field);
// The same, but of a job: 4096 is refused, which Slurm takes for MiB and others for bytes; 0 is 0 in any unit.
std::optional<std::int64_t> read_size(const Field& field);

}  // namespace ym::spec
