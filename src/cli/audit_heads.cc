#include "cli/audit_heads.h"

#include <fmt/format.h>
#include <sodium.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "base/whole_number.h"

namespace ym::cli {
namespace {

constexpr std::string_view kSignature = "\u2014 ";
constexpr unsigned char kEd25519 = 1;

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes(text.size(), '\0');
  std::size_t size = 0;
  auto* into = reinterpret_cast<unsigned char*>(bytes.data());
  if (sodium_base642bin(into, bytes.size(), text.data(), text.size(), nullptr, &size, nullptr,
                        sodium_base64_VARIANT_ORIGINAL) != 0)
    return std::nullopt;
  bytes.resize(size);
  return bytes;
}

std::string hex(std::string_view bytes) {
  std::string digits;
  for (const char c : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

// The public key of "NAME+HASH+KEY"; base64 may have a plus, too. Empty: it is none.
std::string public_key(std::string_view text) {
  for (int part = 0; part < 2; ++part) {
    const auto plus = text.find('+');
    if (plus == text.npos) return {};
    text.remove_prefix(plus + 1);
  }
  const auto bytes = from_base64(text);
  if (!bytes || bytes->size() != 1 + crypto_sign_PUBLICKEYBYTES || bytes->front() != static_cast<char>(kEd25519))
    return {};
  return bytes->substr(1);
}

// Lines without their ends; a note ends with an empty line after its signature.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

// "NAME BASE64". The first four bytes only name the key.
bool is_signed(std::string_view note, std::string_view signature, const std::string& key) {
  const auto bytes = from_base64(signature.substr(signature.rfind(' ') + 1));
  return bytes && bytes->size() == 4 + crypto_sign_BYTES &&
         crypto_sign_verify_detached(bytes_of(*bytes) + 4, bytes_of(note), note.size(), bytes_of(key)) == 0;
}

}  // namespace

Result<KeptHeads> read_heads(const std::string& path, const std::string& key) {
  const auto refuse = [&](const std::string& what) {
    return fail(ErrorCode::invalid, fmt::format("--against {}: {}", path, what));
  };
  const auto forged = [&](std::size_t line, std::string_view what) {
    return fail(ErrorCode::conflict, fmt::format("{}, line {}: {}", path, line + 1, what));
  };
  if (sodium_init() < 0) return fail(ErrorCode::internal, "libsodium does not start");
  const auto verifier = public_key(key);
  if (!key.empty() && verifier.empty())
    return fail(ErrorCode::invalid,
                "--key: this is not the key of a signed note; the server's log shows it at its start");
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) return refuse("the file cannot be read");
  const auto lines = lines_of(text);
  KeptHeads heads;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with(kSignature)) continue;
    const auto refuse_note = [&](std::string_view what) { return refuse(fmt::format("line {}: {}", i + 1, what)); };
    if (i < 4 || !lines[i - 1].empty()) return refuse_note("a signature without a head");
    const auto seq = whole_number<std::int64_t>(lines[i - 3]);
    const auto chain = from_base64(lines[i - 2]);
    if (!seq || !chain) return refuse_note("a signature without a head");
    const auto note = fmt::format("{}\n{}\n{}\n", lines[i - 4], lines[i - 3], lines[i - 2]);
    if (!verifier.empty() && !is_signed(note, lines[i], verifier)) return forged(i, "the signature is wrong");
    const auto [known, is_new] = heads.emplace(*seq, hex(*chain));
    if (!is_new && known->second != hex(*chain)) return forged(i, "another head of the same event stands before");
  }
  if (heads.empty()) return refuse("there is no head in it");
  return heads;
}

}  // namespace ym::cli
