#include "model/ids.h"

#include "base/base32.h"
#include "base/whole_number.h"

namespace ym {
std::string to_string(JobId id) { return encode_base32(id.value); }
std::string to_string(GroupId id) { return encode_base32(id.value); }

std::optional<JobId> parse_job_id(std::string_view text) {
  const auto value = decode_base32(text);
  if (!value || *value == 0) return std::nullopt;
  return JobId{*value};
}

std::string to_string(const Token& token) {
  return to_string(token.job) + "." + std::to_string(token.attempt) + "." + std::to_string(token.epoch);
}

std::optional<Token> parse_token(std::string_view text) {
  const auto first = text.find('.');
  const auto last = text.rfind('.');
  if (first == std::string_view::npos || last == first) return std::nullopt;
  const auto job = parse_job_id(text.substr(0, first));
  const auto attempt = whole_number<std::int32_t>(text.substr(first + 1, last - first - 1));
  const auto epoch = whole_number<std::uint64_t>(text.substr(last + 1));
  if (!job || !attempt || *attempt < 1 || !epoch) return std::nullopt;
  return Token{*job, *attempt, *epoch};
}

}  // namespace ym
