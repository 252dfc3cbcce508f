#include "model/json/row_decoder.h"

#include <fmt/format.h>

#include <charconv>

namespace ym::json {
namespace {

std::optional<std::int64_t> whole_number(const boost::json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64() && std::in_range<std::int64_t>(value.get_uint64()))
    return static_cast<std::int64_t>(value.get_uint64());
  return std::nullopt;
}

}  // namespace

std::unexpected<Error> RowDecoder::corrupt(std::string_view what, const FieldError& field) {
  return std::unexpected(
      Error{.code = ErrorCode::corrupt,
            .message = fmt::format("a stored {} cannot be read: {} {}", what, field.pointer, field.message),
            .fields = {field}});
}

bool RowDecoder::wrong(std::string_view expected) {
  problem_ = fmt::format("is not {}", expected);
  return false;
}

bool RowDecoder::wrong_key(const boost::json::object& object, bool (*known)(std::string_view)) {
  for (const auto& entry : object) {
    if (known(entry.key())) continue;
    path_.append("/").append(entry.key());
    break;
  }
  return wrong("a known field");
}

bool RowDecoder::read(const Value& value, bool& out) {
  if (!value.is_bool()) return wrong("true or false");
  out = value.get_bool();
  return true;
}

bool RowDecoder::read(const Value& value, std::string& out) {
  if (!value.is_string()) return wrong("a text");
  out = value.get_string();
  return true;
}

bool RowDecoder::read(const Value& value, std::int32_t& out) {
  const auto number = whole_number(value);
  if (!number || !std::in_range<std::int32_t>(*number)) return wrong("a 32-bit whole number");
  out = static_cast<std::int32_t>(*number);
  return true;
}

bool RowDecoder::read(const Value& value, std::int64_t& out) {
  const auto number = whole_number(value);
  if (!number) return wrong("a 64-bit whole number");
  out = *number;
  return true;
}

bool RowDecoder::read(const Value& value, std::uint64_t& out) {
  if (value.is_uint64()) out = value.get_uint64();
  else if (value.is_int64() && value.get_int64() >= 0) out = static_cast<std::uint64_t>(value.get_int64());
  else return wrong("a whole number from 0");
  return true;
}

bool RowDecoder::read(const Value& value, double& out) {
  const std::string_view text = value.is_string() ? std::string_view(value.get_string()) : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return (!text.empty() && error == std::errc() && end == text.data() + text.size()) || wrong("a number as text");
}

bool RowDecoder::read(const Value& value, Token& out) {
  const auto token = value.is_string() ? parse_token(value.get_string()) : std::nullopt;
  if (!token) return wrong("a launch token");
  out = *token;
  return true;
}

template <class Amounts>
bool RowDecoder::read_by_kind(const Value& value, Amounts& out) {
  if (!value.is_object()) return wrong("an object");
  for (const auto& [key, item] : value.get_object()) {
    const auto kind = parse_enum<ResourceKind>(key);
    if (!kind) {
      path_.append("/").append(key);
      return wrong("a resource kind");
    }
    if (!read_at(key, item, out[static_cast<std::size_t>(*kind)])) return false;
  }
  return true;
}

bool RowDecoder::read(const Value& value, FlavorQuota& out) { return read_by_kind(value, out); }
bool RowDecoder::read(const Value& value, ResourceVector& out) { return read_by_kind(value, out.amounts); }

namespace {

// An entry of the list, in the stored form.
struct QuotaEntry {
  std::string flavor;
  FlavorQuota kinds;
};

}  // namespace

template <>
struct Fields<QuotaEntry> {
  static constexpr std::tuple list{field("flavor", &QuotaEntry::flavor), field("kinds", &QuotaEntry::kinds)};
};

bool RowDecoder::read(const Value& value, QuotaList& out) {
  // Older rows have an object: the order did not matter then.
  if (value.is_object()) {
    for (const auto& [flavor, kinds] : value.get_object())
      if (!read_at(flavor, kinds, out[flavor])) return false;
    return true;
  }
  std::vector<QuotaEntry> entries;
  if (!read(value, entries)) return false;
  for (auto& entry : entries) out[entry.flavor] = entry.kinds;
  return true;
}

}  // namespace ym::json
