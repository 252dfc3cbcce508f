#include "store/stored_event.h"

namespace ym {
namespace {

constexpr char kNumber = 'n', kText = 't', kNone = '-';

void put_number(std::string& bytes, char kind, std::uint64_t value) {
  bytes += kind;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift);
}

// Takes one column after the other. After the first that is not as expected, `fine` is false.
struct Taker {
  std::string_view rest;
  bool fine = true;

  std::uint64_t number(char kind) {
    constexpr std::size_t kBytes = 9;
    if (!fine || rest.size() < kBytes || rest.front() != kind) return fine = false, 0;
    std::uint64_t value = 0;
    for (std::size_t i = 1; i < kBytes; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest[i])) << (8 * (i - 1));
    rest.remove_prefix(kBytes);
    return value;
  }
  std::int64_t whole() { return static_cast<std::int64_t>(number(kNumber)); }
  std::optional<std::int64_t> maybe() {
    if (!rest.starts_with(kNone)) return whole();
    rest.remove_prefix(1);
    return std::nullopt;
  }
  std::string text() {
    const auto size = number(kText);
    if (!fine || size > rest.size()) return fine = false, std::string();
    std::string taken(rest.substr(0, size));
    rest.remove_prefix(size);
    return taken;
  }
};

}  // namespace

void add_column(std::string& bytes, std::int64_t number) {
  put_number(bytes, kNumber, static_cast<std::uint64_t>(number));
}
void add_column(std::string& bytes, std::string_view text) {
  put_number(bytes, kText, text.size());
  bytes += text;
}
void add_column(std::string& bytes, std::nullopt_t) { bytes += kNone; }

Result<StoredColumns> columns_of(std::string_view bytes) {
  Taker taker{bytes};
  StoredColumns columns;
  columns.seq = taker.whole();
  columns.time = taker.whole();
  columns.type = taker.text();
  columns.version = taker.whole();
  columns.job = taker.maybe();
  columns.attempt = taker.maybe();
  columns.actor = taker.text();
  columns.reason = taker.text();
  columns.payload = taker.text();
  columns.spec = taker.text();
  if (taker.fine && taker.rest.empty()) return columns;
  return fail(ErrorCode::corrupt, "a stored event does not have the columns of one");
}

std::string bytes_of(const StoredColumns& columns) {
  std::string bytes;
  const auto add = [&](const auto& column) { add_column(bytes, column); };
  const auto add_maybe = [&](const auto& column) { column ? add(*column) : add(std::nullopt); };
  add(columns.seq);
  add(columns.time);
  add(columns.type);
  add(columns.version);
  add_maybe(columns.job);
  add_maybe(columns.attempt);
  for (const auto* text : {&columns.actor, &columns.reason, &columns.payload, &columns.spec}) add(*text);
  return bytes;
}

}  // namespace ym
