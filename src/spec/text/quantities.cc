#include "spec/text/quantities.h"

#include <fmt/format.h>

#include <charconv>

#include "model/cluster.h"
#include "model/resources.h"

namespace ym::spec {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return count;
}

std::string without_plus(std::string text) {
  if (text.size() > 1 && text.back() == '+') text.pop_back();
  return text;
}

}  // namespace

std::pair<std::string, std::string> split_gpu_type(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) return {"", text};
  return {lower_case(text.substr(0, colon)), text.substr(colon + 1)};
}

std::optional<SliceCount> parse_slices(const std::string& text) {
  const auto colon = text.find(':');
  const auto count = colon == std::string::npos ? std::optional<std::int64_t>(1) : parse_count(text.substr(colon + 1));
  SliceCount slices{.profile = text.substr(0, colon), .count = count.value_or(0)};
  return count && slice_milli(slices.profile) ? std::optional(slices) : std::nullopt;
}

std::optional<GpuCount> read_gpus(const Field& field, std::int64_t max) {
  if (field.value->kind == Value::Kind::number) {
    const auto count = read_whole_number(field, 0, max);
    return count ? std::optional(GpuCount{.type = {}, .count = *count}) : std::nullopt;
  }
  const auto text = read_string(field);
  return text ? read_gpus(field, *text, max) : std::nullopt;
}

std::optional<GpuCount> read_gpus(const Field& field, const std::string& text, std::int64_t max) {
  const auto [type, number] = split_gpu_type(text);
  const auto count = parse_count(number);
  if ((text.contains(':') && !is_name(type)) || !count) {
    field.wrong(
        fmt::format("{} is not a number of GPUs; write a whole number such as 2, or a type and a number such "
                    "as \"t4:2\"",
                    quoted(text)));
    return std::nullopt;
  }
  if (*count >= 0 && *count <= max) return GpuCount{.type = type, .count = *count};
  field.wrong(fmt::format("{} is out of range; write a whole number from 0 to {}", *count, max));
  return std::nullopt;
}

std::optional<std::string> read_gpu_type(const Field& field) {
  const auto type = read_name(field);
  return type ? std::optional(lower_case(*type)) : std::nullopt;
}

std::optional<std::int64_t> read_cpus(const Field& field) {
  const auto text = read_scalar_text(field);
  if (!text) return std::nullopt;
  if (auto parsed = parse_thousandths(without_plus(*text))) return *parsed;
  field.wrong(fmt::format("{} is not an amount; write for example 4, 0.5 or 500m (at most 1000000)", quoted(*text)));
  return std::nullopt;
}

std::optional<std::int64_t> read_bytes(const Field& field) {
  const auto text = read_scalar_text(field);
  if (!text) return std::nullopt;
  if (auto parsed = parse_bytes(without_plus(*text))) return *parsed;
  field.wrong(fmt::format("{} is not a size; write for example 512MiB, 64GiB or 800GB", quoted(*text)));
  return std::nullopt;
}

std::optional<std::int64_t> read_size(const Field& field) {
  const auto bytes = read_bytes(field);
  if (!bytes) return std::nullopt;
  const std::string number = without_plus(field.value->text);
  const bool has_unit = number.find_first_not_of("0123456789.") != std::string::npos;
  const bool is_nothing = number.find_first_not_of("0.") == std::string::npos;
  if (has_unit || is_nothing) return bytes;
  const std::string shown = number.substr(0, 40);
  const auto mebibytes = parse_bytes(number + "MiB");
  const std::string rounded = mebibytes ? format_bytes(*mebibytes) : "";
  const std::string in_words = rounded == shown + "MiB" ? "" : fmt::format(" ({})", rounded);
  const std::string in_slurm = mebibytes ? fmt::format("{} MiB{}, as in Slurm, or ", shown, in_words) : "";
  field.wrong(fmt::format("{0} has no unit: is it {1}{0} bytes? Write {0}MiB or {0}B, or with another unit such as GiB",
                          shown, in_slurm));
  return std::nullopt;
}

}  // namespace ym::spec
