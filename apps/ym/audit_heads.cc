#include "audit_heads.h"

#include <fmt/format.h>
#include <sodium.h>
#include <spdlog/spdlog.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "net/sinks/sink.h"
#include "start_files.h"

namespace ym {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "yardmaster";
constexpr unsigned char kEd25519 = 1;

std::string base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    kVariant);
  text.pop_back();  // the end of a C string
  return text;
}

std::string from_hex(std::string_view digits) {
  std::string bytes(digits.size() / 2, '\0');
  std::size_t size = 0;
  sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), digits.data(), digits.size(), nullptr,
                 &size, nullptr);
  bytes.resize(size);
  return bytes;
}

// The secret key of libsodium ends with the public one.
std::string public_part(const Secret& key) {
  return key.reveal().substr(crypto_sign_SECRETKEYBYTES - crypto_sign_PUBLICKEYBYTES);
}

// The first four bytes of a hash over name and key: a hint which key to use.
std::string key_hash(const Secret& key) {
  const std::string text = fmt::format("{}\n{}{}", kName, static_cast<char>(kEd25519), public_part(key));
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
  return {hash.begin(), hash.begin() + 4};
}

// As tools for signed notes take it: NAME+HASH+KEY.
std::string verifier_key(const Secret& key) {
  std::string hash;
  for (const char c : key_hash(key)) hash += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return fmt::format("{}+{}+{}", kName, hash, base64(static_cast<char>(kEd25519) + public_part(key)));
}

Result<Secret> signing_key(const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) {
    std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> open{};
    std::string hidden(crypto_sign_SECRETKEYBYTES, '\0');
    crypto_sign_keypair(open.data(), reinterpret_cast<unsigned char*>(hidden.data()));
    Secret key(std::move(hidden));
    if (auto written = write_file(path, base64(key.reveal()) + "\n", 0600); !written)
      return std::unexpected(written.error());
    return key;
  }
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::string hidden(crypto_sign_SECRETKEYBYTES, '\0');
  std::size_t size = 0;
  const int read = sodium_base642bin(reinterpret_cast<unsigned char*>(hidden.data()), hidden.size(), text.data(),
                                     text.size(), "\n", &size, nullptr, sodium_base64_VARIANT_ORIGINAL);
  if (read == 0 && size == hidden.size()) return Secret(std::move(hidden));
  return fail(ErrorCode::corrupt, fmt::format("{} does not hold a signing key; remove the file for a new one, and note "
                                              "that later heads are signed with that",
                                              path.string()));
}

// As a string of JSON. A note has no other characters that would need an escape.
std::string as_line(std::string_view note) {
  std::string line = R"({"note":")";
  for (const char c : note) line += c == '\n' ? std::string("\\n") : std::string(1, c);
  return line + R"("})";
}

}  // namespace

Result<AuditHeads::Place> AuditHeads::open_place(const ServeOptions& options, const std::string& address) {
  auto sink = net::Sink::open({.address = address,
                               .ca_file = options.audit_heads_ca,
                               .token_file = options.audit_heads_token,
                               .kind = "head",
                               .content_type = "text/plain; charset=utf-8"});
  if (!sink) return fail(sink.error().code, "--audit-heads: " + sink.error().message);
  const auto shown = sink->address().shown();
  const bool takes_lines = sink->address().kind == net::SinkAddress::Kind::syslog;
  const auto report = [shown](const Result<void>& sent) {
    if (sent) spdlog::info("heads of the audit log arrive at {} again", shown);
    else spdlog::error("a head of the audit log did not arrive: {}", sent.error().message);
  };
  return Place{.takes_lines = takes_lines, .queue = std::make_unique<net::SinkQueue>(std::move(*sink), report)};
}

Result<std::shared_ptr<AuditHeads>> AuditHeads::open(const ServeOptions& options) {
  if (sodium_init() < 0) return fail(ErrorCode::internal, "libsodium does not start");
  auto key = signing_key(fs::path(options.state) / "audit.key");
  if (!key) return std::unexpected(key.error());
  std::vector<Place> places;
  for (const auto& address : options.audit_heads) {
    auto place = open_place(options, address);
    if (!place) return std::unexpected(place.error());
    places.push_back(std::move(*place));
    spdlog::info("heads of the audit log go to {}, and are verified with {}", address.substr(0, address.find('?')),
                 verifier_key(*key));
  }
  const auto origin = options.advertise_url.empty() ? "yardmaster" : options.advertise_url + "/yardmaster";
  return std::shared_ptr<AuditHeads>(new AuditHeads(std::move(places), origin, std::move(*key)));
}

void AuditHeads::append(const SealHead& head, Instant now) const {
  const auto text = fmt::format("{}\n{}\n{}\n", origin_, head.to, base64(from_hex(head.chain)));
  std::string signature(crypto_sign_BYTES, '\0');
  crypto_sign_detached(reinterpret_cast<unsigned char*>(signature.data()), nullptr,
                       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                       reinterpret_cast<const unsigned char*>(key_.reveal().data()));
  const auto note = fmt::format("{}\n\u2014 {} {}\n", text, kName, base64(key_hash(key_) + signature));
  for (const auto& place : places_)
    place.queue->push({.time = to_rfc3339(now), .text = place.takes_lines ? as_line(note) : note});
}

}  // namespace ym
