// Resource kinds and amounts.
//
// Every amount is an int64 in the kind's smallest unit: CPUs and GPUs in thousandths (so that a share of a device is an
// amount, too), memory in bytes. Kinds are small indices and a vector of amounts has a fixed width, so that the engine
// can keep arrays of them.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/enum_names.h"
#include "base/result.h"

namespace ym {

// A kind's value is its index in ResourceVector.
enum class ResourceKind : std::uint8_t { cpus = 0, memory = 1, gpus = 2 };
// The name of a kind in files, the API and messages.
constexpr std::string_view to_string(ResourceKind value) {
  switch (value) {
    case ResourceKind::cpus: return "cpus";
    case ResourceKind::memory: return "memory";
    case ResourceKind::gpus: return "gpus";
  }
  return {};
}
inline constexpr std::size_t kResourceKinds = count_of_values<ResourceKind>();

constexpr ResourceKind resource_kind(std::size_t index) { return static_cast<ResourceKind>(index); }

struct ResourceVector {
  std::array<std::int64_t, kResourceKinds> amounts{};

  std::int64_t& operator[](ResourceKind kind) { return amounts[static_cast<std::size_t>(kind)]; }
  std::int64_t operator[](ResourceKind kind) const { return amounts[static_cast<std::size_t>(kind)]; }
  auto operator<=>(const ResourceVector&) const = default;

  ResourceVector& operator+=(const ResourceVector& other);
  ResourceVector& operator-=(const ResourceVector& other);
  // Precondition: no overflow (the limits of specs ensure that).
  friend ResourceVector operator*(const ResourceVector& v, std::int64_t n);
  // True if every amount of this is at least that of `other`.
  bool covers(const ResourceVector& other) const;
};

inline constexpr std::int64_t kMilli = 1000;
inline constexpr std::int64_t kMiB = std::int64_t{1} << 20;
inline constexpr std::int64_t kGiB = std::int64_t{1} << 30;

// "4", "0.5", "500m" -> thousandths. At most a million.
Result<std::int64_t> parse_thousandths(std::string_view text);
// "64GiB", "800GB", "512MiB", "1TiB", or a bare number of bytes. At most 1 EiB.
Result<std::int64_t> parse_bytes(std::string_view text);
// "8" or "0.5" from thousandths.
std::string format_thousandths(std::int64_t thousandths);
// "64GiB", "1.5GiB": rounded down to a tenth; exact below 1 KiB.
std::string format_bytes(std::int64_t bytes);
// An amount of `kind` as text for users.
std::string format_amount(ResourceKind kind, std::int64_t amount);

}  // namespace ym
