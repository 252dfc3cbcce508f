// Amounts of resources in job files and configuration files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "spec/text/field.h"

namespace ym::spec {

// `gpus: 2` or "t4:2". Types become lower case: H100 is h100.
struct GpuCount {
  std::string type;  // empty: any
  std::int64_t count = 0;
};
std::optional<GpuCount> read_gpus(const Field& field, std::int64_t max);
// The same for a text that is the field's value, or a part of it.
std::optional<GpuCount> read_gpus(const Field& field, const std::string& text, std::int64_t max);
// "T4:2" -> "t4" and "2". Without a colon the whole text is the second.
std::pair<std::string, std::string> split_gpu_type(const std::string& text);
// MIG slices of one profile: "1g.10gb" or "1g.10gb:2". Nothing: it does not name slices. Does not check the count.
struct SliceCount {
  std::string profile;
  std::int64_t count = 1;
};
std::optional<SliceCount> parse_slices(const std::string& text);
std::optional<std::string> read_gpu_type(const Field& field);

// "4", 0.5, "500m" -> thousandths. "96+" is read as 96: an amount is always a minimum.
std::optional<std::int64_t> read_cpus(const Field& field);
// "64GiB", "800GB+", or a number of bytes.
std::optional<std::int64_t> read_bytes(const Field& field);
// The same for a job. Refuses 4096 without a unit: Slurm would take it for MiB, others for bytes. 0 needs no unit.
std::optional<std::int64_t> read_size(const Field& field);

}  // namespace ym::spec
