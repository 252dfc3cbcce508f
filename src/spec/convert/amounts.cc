#include "spec/convert/amounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "model/cluster.h"
#include "model/resources.h"

namespace ym::convert {
namespace {

using Wide = __int128;
constexpr Wide kMostWide = std::numeric_limits<std::int64_t>::max();

struct Suffix {
  std::string_view text;
  Wide up, down;  // factors as multiplier and divisor, in thousandths
};
constexpr Wide kKi = 1024;
constexpr std::array<Suffix, 16> kSuffixes{{{"n", 1, 1'000'000},
                                            {"u", 1, 1'000},
                                            {"m", 1, 1},
                                            {"", 1'000, 1},
                                            {"k", 1'000'000, 1},
                                            {"M", 1'000'000'000, 1},
                                            {"G", 1'000'000'000'000, 1},
                                            {"T", 1'000'000'000'000'000, 1},
                                            {"P", 1'000'000'000'000'000'000, 1},
                                            {"Ki", 1'000 * kKi, 1},
                                            {"Mi", 1'000 * kKi* kKi, 1},
                                            {"Gi", 1'000 * kKi* kKi* kKi, 1},
                                            {"Ti", 1'000 * kKi* kKi* kKi* kKi, 1},
                                            {"Pi", 1'000 * kKi* kKi* kKi* kKi* kKi, 1},
                                            {"E", Wide{1'000'000'000'000'000'000} * 1'000, 1},
                                            {"Ei", 1'000 * kKi* kKi* kKi* kKi* kKi* kKi, 1}}};

// Digits with at most one point. Subtracts the number of digits after the point from `shift`.
std::optional<Wide> take_decimal(std::string_view& text, int& shift) {
  Wide number = 0;
  bool point = false, any = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    if (number > kMostWide) return std::nullopt;
    number = number * 10 + (c - '0');
    shift -= point ? 1 : 0;
    any = true;
  }
  text.remove_prefix(at);
  return any ? std::optional(number) : std::nullopt;
}

// "e3": takes all of the text.
bool take_exponent(std::string_view& text, int& shift) {
  if (text.size() < 2 || (text.front() != 'e' && text.front() != 'E')) return false;
  auto digits = text.substr(text[1] == '+' ? 2 : 1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
  if (error != std::errc{} || end != digits.data() + digits.size() || exponent < -18 || exponent > 18) return false;
  shift += exponent;
  text = {};
  return true;
}

std::optional<std::int64_t> scaled(Wide number, const Suffix& suffix, int shift) {
  Wide up = number, down = suffix.down;
  for (; shift > 0; --shift) {
    if (up > kMostWide) return std::nullopt;
    up *= 10;
  }
  for (; shift < 0; ++shift) {
    if (down > kMostWide) return std::nullopt;
    down *= 10;
  }
  if (up > 0 && suffix.up > std::numeric_limits<Wide>::max() / up) return std::nullopt;
  up *= suffix.up;
  const Wide result = up / down + (up % down > 0 ? 1 : 0);
  return result <= kMostWide ? std::optional(static_cast<std::int64_t>(result)) : std::nullopt;
}

std::optional<std::int64_t> read_quantity(const Field& field) {
  const auto text = spec::read_scalar_text(field);
  if (!text) return std::nullopt;
  const auto amount = parse_quantity(*text);
  if (!amount) field.wrong(fmt::format("{} is not a quantity; write for example 8, 500m or 64Gi", spec::quoted(*text)));
  return amount;
}

// Devices are whole.
std::optional<std::int64_t> read_devices(const Field& field) {
  const auto amount = read_quantity(field);
  if (!amount || *amount % kMilli == 0) return amount ? std::optional(*amount / kMilli) : std::nullopt;
  field.wrong("is not a whole number of devices");
  return std::nullopt;
}

void read_slices(const Field& field, std::string_view profile, Remarks& remarks, Amounts& amounts) {
  const auto count = read_devices(field);
  if (!count || *count == 0) return;
  if (!slice_milli(profile) || !amounts.profile.empty())
    return remarks.warn(field, "is left out; a job file has MIG slices of one profile, such as mig: 1g.10gb");
  amounts.profile = profile;
  amounts.slices = *count;
}

void read_one(const std::string& name, const Field& field, Remarks& remarks, Amounts& amounts) {
  constexpr std::string_view kSlice = "nvidia.com/mig-";
  if (name == "cpu") {
    if (const auto cpus = read_quantity(field)) amounts.cpus = *cpus;
  } else if (name == "memory") {
    if (const auto memory = read_quantity(field)) amounts.memory = *memory / kMilli;
  } else if (name.starts_with(kSlice)) {
    read_slices(field, std::string_view(name).substr(kSlice.size()), remarks, amounts);
  } else if (name == "nvidia.com/gpu" || name == "amd.com/gpu" || name == "gpu") {
    if (const auto gpus = read_devices(field)) amounts.gpus += *gpus;
  } else if (name == "nvidia.com/gpu.shared") {
    remarks.warn(field, "is left out; for a part of a GPU write resources: {gpu_share: 500m}");
  } else if (name.contains("tpu") || name.ends_with("gaudi") || name.ends_with("/neuron")) {
    remarks.warn(field, "is left out; GPUs are the only devices of a job file");
  } else {
    remarks.warn(field,
                 "is left out; a job file has gpus, cpus, memory and shm; choose nodes that have it by placement.select"
                 "placement.select");
  }
}

// Resources that `said` has too got their remarks there.
Amounts read_map(const Field& map, Remarks& remarks, const std::optional<Field>& said = {}) {
  Amounts amounts;
  Remarks again;
  if (const auto entries = spec::read_entries(map))
    for (const auto& [name, field] : *entries)
      read_one(name, field, field_under(said, name) ? again : remarks, amounts);
  return amounts;
}

void larger(Amounts& amounts, const Amounts& other) {
  amounts.gpus = std::max(amounts.gpus, other.gpus);
  if (amounts.profile.empty()) amounts.profile = other.profile;
  amounts.slices = std::max(amounts.slices, other.slices);
  amounts.cpus = std::max(amounts.cpus, other.cpus);
  amounts.memory = std::max(amounts.memory, other.memory);
}

// Both are set and they differ.
bool differ(const Amounts& requests, const Amounts& limits) {
  return (requests.cpus && limits.cpus && requests.cpus != limits.cpus) ||
         (requests.memory > 0 && limits.memory > 0 && requests.memory != limits.memory);
}

}  // namespace

std::optional<std::int64_t> parse_quantity(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int shift = 0;
  const auto number = take_decimal(text, shift);
  if (!number) return std::nullopt;
  take_exponent(text, shift);
  const auto suffix = std::ranges::find(kSuffixes, text, &Suffix::text);
  return suffix == kSuffixes.end() ? std::nullopt : scaled(*number, *suffix, shift);
}

void read_resources(const Field& resources, Remarks& remarks, Amounts& amounts) {
  Keys keys(resources, remarks);
  Amounts requests, limits;
  const auto limit = keys.find("limits");
  if (limit) limits = read_map(*limit, remarks);
  if (const auto request = keys.find("requests")) requests = read_map(*request, remarks, limit);
  constexpr std::array<Advice, 1> kDrop{{{"claims", "write devices as resources.gpus"}}};
  keys.drop(kDrop);
  keys.finish();
  if (differ(requests, limits))
    remarks.note(resources,
                 "has requests and limits that differ; a job file has one amount, and the larger one is written");
  larger(requests, limits);
  requests.shm = amounts.shm;
  amounts = requests;
}

void read_quantities(const Field& map, Remarks& remarks, Amounts& amounts) {
  const auto shm = amounts.shm;
  amounts = read_map(map, remarks);
  amounts.shm = shm;
}

std::string bytes_text(std::int64_t bytes) {
  struct Unit {
    std::string_view name;
    std::int64_t bytes;
  };
  constexpr std::array<Unit, 8> kUnits{{{"TiB", std::int64_t{1} << 40},
                                        {"TB", 1'000'000'000'000},
                                        {"GiB", std::int64_t{1} << 30},
                                        {"GB", 1'000'000'000},
                                        {"MiB", std::int64_t{1} << 20},
                                        {"MB", 1'000'000},
                                        {"KiB", std::int64_t{1} << 10},
                                        {"kB", 1'000}}};
  for (const auto& unit : kUnits)
    if (bytes >= unit.bytes && bytes % unit.bytes == 0) return fmt::format("{}{}", bytes / unit.bytes, unit.name);
  return std::to_string(bytes);
}

}  // namespace ym::convert
