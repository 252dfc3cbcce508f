#include "model/resources.h"

#include <charconv>

namespace ym {
namespace {

struct ByteUnit {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::array<ByteUnit, 13> kByteUnits{{{"B", 1},
                                               {"KiB", 1LL << 10},
                                               {"MiB", 1LL << 20},
                                               {"GiB", 1LL << 30},
                                               {"TiB", 1LL << 40},
                                               {"KB", 1000},
                                               {"kB", 1000},
                                               {"MB", 1'000'000},
                                               {"GB", 1'000'000'000},
                                               {"TB", 1'000'000'000'000},
                                               {"Ki", 1LL << 10},
                                               {"Mi", 1LL << 20},
                                               {"Gi", 1LL << 30}}};

// Reads digits and an optional fraction; the value is in thousandths.
std::optional<std::int64_t> decimal_prefix(std::string_view& text) {
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error != std::errc{} || whole < 0 || text.front() == '-' || whole > (std::int64_t{1} << 60) / 1000)
    return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  std::int64_t milli = 0;
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    std::int64_t scale = 100;
    std::size_t digits = 0;
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits, scale /= 10)
      milli += (text.front() - '0') * scale;
    if (digits == 0 || digits > 3) return std::nullopt;
  }
  return whole * 1000 + milli;
}

}  // namespace

ResourceVector& ResourceVector::operator+=(const ResourceVector& other) {
  for (std::size_t i = 0; i < kResourceKinds; ++i) amounts[i] += other.amounts[i];
  return *this;
}

ResourceVector& ResourceVector::operator-=(const ResourceVector& other) {
  for (std::size_t i = 0; i < kResourceKinds; ++i) amounts[i] -= other.amounts[i];
  return *this;
}

ResourceVector operator*(const ResourceVector& v, std::int64_t n) {
  ResourceVector product = v;
  for (auto& amount : product.amounts) amount *= n;
  return product;
}

bool ResourceVector::covers(const ResourceVector& other) const {
  for (std::size_t i = 0; i < kResourceKinds; ++i)
    if (amounts[i] < other.amounts[i]) return false;
  return true;
}

Result<std::int64_t> parse_thousandths(std::string_view text) {
  std::string_view rest = text;
  auto value = rest.empty() ? std::nullopt : decimal_prefix(rest);
  if (value && rest == "m" && *value % 1000 == 0) {
    *value /= 1000;
    rest = {};
  }
  if (!value || !rest.empty() || *value > 1'000'000 * kMilli)
    return fail(ErrorCode::invalid,
                "'" + std::string(text) + "' is not an amount; write for example 4, 0.5 or 500m (at most 1000000)");
  return *value;
}

Result<std::int64_t> parse_bytes(std::string_view text) {
  std::string_view rest = text;
  const auto value = rest.empty() ? std::nullopt : decimal_prefix(rest);
  if (rest.empty()) rest = "B";
  for (const auto& unit : kByteUnits) {
    if (!value || unit.name != rest) continue;
    const auto bytes = static_cast<__int128>(*value) * unit.bytes / 1000;
    if (bytes <= (std::int64_t{1} << 60)) return static_cast<std::int64_t>(bytes);
  }
  return fail(ErrorCode::invalid,
              "'" + std::string(text) + "' is not a size; write for example 512MiB, 64GiB or 800GB");
}

std::string format_thousandths(std::int64_t thousandths) {
  std::string text = std::to_string(thousandths / 1000);
  if (auto rest = thousandths % 1000; rest != 0) {
    std::string fraction = std::to_string(1000 + rest).substr(1);
    while (fraction.back() == '0') fraction.pop_back();
    text += "." + fraction;
  }
  return text;
}

std::string format_bytes(std::int64_t bytes) {
  constexpr std::array<std::string_view, 6> kNames{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  std::int64_t scale = 1;
  while (unit + 1 < kNames.size() && bytes / scale >= 1024) {
    scale *= 1024;
    ++unit;
  }
  std::string text = std::to_string(bytes / scale);
  if (const auto tenths = bytes % scale * 10 / scale; scale > 1 && tenths != 0) text += "." + std::to_string(tenths);
  return text + std::string(kNames[unit]);
}

std::string format_amount(ResourceKind kind, std::int64_t amount) {
  return kind == ResourceKind::memory ? format_bytes(amount) : format_thousandths(amount);
}

}  // namespace ym
