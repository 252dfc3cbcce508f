#include "cli/audit_heads.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/whole_number.h"
#include "cli/views/json_view.h"

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

struct HeadLine {
  std::string text;        // without its end
  std::size_t number = 0;  // in the file
};

// The note that a line of a syslog server has behind what that server put before it; nothing: it has none.
std::optional<std::string> note_of_syslog(std::string_view line) {
  const auto begin = line.find(R"({"note":)");
  const auto end = line.rfind('}');
  if (begin == line.npos || end == line.npos || end < begin) return std::nullopt;
  boost::system::error_code bad;
  const auto message = boost::json::parse(line.substr(begin, end - begin + 1), bad);
  return bad ? std::nullopt : std::optional(text_at(message, "note"));
}

void add_lines(std::string_view text, std::vector<HeadLine>& lines) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back({.text = std::string(text.substr(0, end)), .number = lines.size() + 1});
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
  }
}

// A note ends with an empty line after its signature.
std::vector<HeadLine> lines_of(std::string_view text) {
  std::vector<HeadLine> in_file, lines;
  add_lines(text, in_file);
  for (auto& line : in_file) {
    if (const auto note = note_of_syslog(line.text)) {
      const auto before = lines.size();
      add_lines(*note, lines);
      for (auto& one : std::span(lines).subspan(before)) one.number = line.number;
    } else {
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

// Behind the first name: a blank that stands in place of another character must not make the rest a shorter signature.
std::string_view base64_of(std::string_view signature) {
  return signature.substr(std::min(signature.find(' ', kSignature.size()), signature.size() - 1) + 1);
}

// The server may have another address since: the first line of its notes is another one then.
bool begins_note(const std::vector<HeadLine>& lines, std::size_t first, const std::string& origin) {
  if (first >= lines.size()) return false;
  return lines[first].text == origin ||
         (first + 1 < lines.size() && whole_number<std::int64_t>(lines[first + 1].text).has_value());
}

// A full disk or a crash cut the signature, and the writer ended its line before the next note. A note without its
// signature is no proof, and no forgery.
bool is_cut(const std::vector<HeadLine>& lines, std::size_t signature) {
  constexpr std::size_t kWhole = sodium_base64_ENCODED_LEN(4 + crypto_sign_BYTES, sodium_base64_VARIANT_ORIGINAL) - 1;
  const bool is_last = signature + 1 == lines.size();
  return base64_of(lines[signature].text).size() < kWhole &&
         (is_last || begins_note(lines, signature + 1, lines[signature - 4].text));
}

// The first four bytes only name the key.
bool is_signed(std::string_view note, std::string_view signature, const std::string& key) {
  const auto bytes = from_base64(base64_of(signature));
  return bytes && bytes->size() == 4 + crypto_sign_BYTES &&
         crypto_sign_verify_detached(bytes_of(*bytes) + 4, bytes_of(note), note.size(), bytes_of(key)) == 0;
}

}  // namespace

Result<KeptHeads> read_heads(const std::string& path, const std::string& key) {
  const auto refuse = [&](const std::string& what) {
    return fail(ErrorCode::invalid, fmt::format("--against {}: {}", path, what));
  };
  const auto forged = [&](std::size_t line, std::string_view what) {
    return fail(ErrorCode::conflict, fmt::format("{}, line {}: {}", path, line, what));
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
    const auto& signature = lines[i];
    if (!signature.text.starts_with(kSignature)) continue;
    const auto refuse_note = [&](std::string_view what) {
      return refuse(fmt::format("line {}: {}", signature.number, what));
    };
    if (i < 4 || !lines[i - 1].text.empty()) return refuse_note("a signature without a head");
    const auto seq = whole_number<std::int64_t>(lines[i - 3].text);
    const auto chain = from_base64(lines[i - 2].text);
    if (!seq || !chain) return refuse_note("a signature without a head");
    const auto note = fmt::format("{}\n{}\n{}\n", lines[i - 4].text, lines[i - 3].text, lines[i - 2].text);
    if (!verifier.empty() && is_cut(lines, i)) continue;
    if (!verifier.empty() && !is_signed(note, signature.text, verifier))
      return forged(signature.number, "the signature is wrong");
    const auto [known, is_new] = heads.emplace(*seq, hex(*chain));
    if (!is_new && known->second != hex(*chain))
      return forged(signature.number, "another head of the same event stands before");
  }
  if (heads.empty()) return refuse("there is no head in it");
  return heads;
}

}  // namespace ym::cli
