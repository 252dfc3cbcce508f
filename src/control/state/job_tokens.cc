#include "control/state/job_tokens.h"

#include <fmt/format.h>

#include <array>

#include "base/whole_number.h"
#include "control/state/sodium.h"

namespace ym {
namespace {

constexpr std::string_view kPrefix = "ymj.";
constexpr std::size_t kKeyBytes = 32;
constexpr std::size_t kMacBytes = 32;
// A longer text is no token of this server, and not worth a hash.
constexpr std::size_t kMaxText = 128;

using Bytes = std::array<unsigned char, kKeyBytes>;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::string hex(const Bytes& bytes) {
  std::array<char, 2 * kKeyBytes + 1> text{};
  sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  return text.data();
}

std::string mac_of(std::string_view payload, const Secret& key) {
  std::array<unsigned char, kMacBytes> mac{};
  crypto_generichash(mac.data(), mac.size(), bytes_of(payload), payload.size(), bytes_of(key.reveal()), kKeyBytes);
  std::array<char, 64> text{};
  sodium_bin2base64(text.data(), text.size(), mac.data(), mac.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  return text.data();
}

// Compares text, not bytes: each MAC has one encoding.
bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

struct Content {
  AttemptKey attempt;
  Instant expires;
};

// Reads "ymj.JOB.ATTEMPT.EXPIRY".
std::optional<Content> read(std::string_view payload) {
  payload.remove_prefix(kPrefix.size());
  const auto first = payload.find('.');
  const auto last = payload.rfind('.');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const auto job = parse_job_id(payload.substr(0, first));
  const auto number = whole_number<std::int32_t>(payload.substr(first + 1, last - first - 1));
  const auto expiry = whole_number<std::int64_t>(payload.substr(last + 1));
  if (!job || !number || !expiry) return std::nullopt;
  return Content{{*job, *number}, Instant{*expiry * 1000}};
}

}  // namespace

Result<JobTokens> JobTokens::with_key(const Secret& key) {
  prepare_sodium();
  Bytes bytes{};
  std::size_t size = 0;
  const char* end = nullptr;
  const std::string& text = key.reveal();
  const bool read = sodium_hex2bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size, &end) == 0;
  if (!read || size != kKeyBytes || end != text.data() + text.size())
    return fail(ErrorCode::invalid, "the key of job tokens must be 64 hexadecimal digits");
  return JobTokens(Secret(std::string(bytes.begin(), bytes.end())));
}

Secret JobTokens::issue(AttemptKey attempt, Instant now, Duration lifetime) const {
  // Rounded up: the token is valid for its whole lifetime.
  const std::int64_t expiry = ((now + lifetime).ms + 999) / 1000;
  const auto payload = fmt::format("{}{}.{}.{}", kPrefix, to_string(attempt.job), attempt.number, expiry);
  return Secret(payload + "." + mac_of(payload, key_));
}

Result<AttemptKey> JobTokens::check(const Secret& token, Instant now) const {
  const auto refused = fail(ErrorCode::unauthenticated, "the job token is not one of this server's");
  const std::string_view text = token.reveal();
  const auto dot = text.rfind('.');
  if (!is_one(text) || text.size() > kMaxText || dot < kPrefix.size()) return refused;
  const auto payload = text.substr(0, dot);
  // The content is not even parsed before the MAC is checked.
  if (!same(mac_of(payload, key_), text.substr(dot + 1))) return refused;
  const auto content = read(payload);
  if (!content) return refused;
  if (now >= content->expires)
    return fail(ErrorCode::unauthenticated,
                "the job token has expired; read the file that YM_TOKEN_FILE names before each request");
  return content->attempt;
}

bool JobTokens::is_one(std::string_view token) { return token.starts_with(kPrefix); }

std::string instance_name(const Secret& key) {
  prepare_sodium();
  constexpr std::string_view kPurpose = "instance";
  std::array<unsigned char, crypto_generichash_BYTES_MIN> hash{};
  const std::string& text = key.reveal();
  crypto_generichash(hash.data(), hash.size(), bytes_of(kPurpose), kPurpose.size(), bytes_of(text),
                     std::min<std::size_t>(text.size(), crypto_generichash_KEYBYTES_MAX));
  std::string name;
  for (std::size_t i = 0; i < 5; ++i) name += fmt::format("{:02x}", hash[i]);
  return name;
}

Secret make_job_token_key() {
  prepare_sodium();
  Bytes bytes{};
  randombytes_buf(bytes.data(), bytes.size());
  return Secret(hex(bytes));
}

}  // namespace ym
