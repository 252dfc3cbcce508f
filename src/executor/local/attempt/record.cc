#include "executor/local/attempt/record.h"

#include <algorithm>

#include "base/whole_number.h"
#include "executor/local/attempt/checksum.h"
#include "executor/local/attempt/files.h"

namespace ym::local {
namespace {

constexpr std::string_view kMagic = "yardmaster ";
constexpr std::size_t kSumLine = sizeof("sum 0123456789abcdef\n") - 1;

std::unexpected<Error> corrupt(std::string_view kind, std::string_view why) {
  return fail(ErrorCode::corrupt, "the " + std::string(kind) + " record is damaged: " + std::string(why));
}

// Removes the text up to `mark` from the front.
std::optional<std::string_view> take_until(std::string_view& rest, char mark) {
  const auto at = rest.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const auto taken = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return taken;
}

bool sum_holds(std::string_view bytes) {
  if (bytes.size() < kSumLine) return false;
  const auto body = bytes.substr(0, bytes.size() - kSumLine);
  return bytes.substr(body.size()) == "sum " + hex(checksum(body)) + "\n";
}

}  // namespace

bool understood(std::int64_t version) {
  return version >= std::max(kProtocolVersion - 1, 1) && version <= kProtocolVersion;
}

std::optional<std::string> Record::text(std::string_view key) const {
  for (const auto& [name, value] : fields_)
    if (name == key) return value;
  return std::nullopt;
}

std::optional<std::int64_t> Record::number(std::string_view key) const {
  const auto value = text(key);
  return value ? whole_number<std::int64_t>(*value) : std::nullopt;
}

std::vector<std::string> Record::all(std::string_view key) const {
  std::vector<std::string> values;
  for (const auto& [name, value] : fields_)
    if (name == key) values.push_back(value);
  return values;
}

std::string Record::encode() const {
  std::string out = std::string(kMagic) + kind_ + " " + std::to_string(kProtocolVersion) + "\n";
  for (const auto& [key, value] : fields_) {
    out += key + " " + std::to_string(value.size()) + "\n";
    out += value;
    out += '\n';
  }
  return out + "sum " + hex(checksum(out)) + "\n";
}

Result<Record> Record::decode(std::string_view bytes, std::string_view kind) {
  if (bytes.size() > kMaxRecord || !sum_holds(bytes)) return corrupt(kind, "its checksum is wrong");
  auto rest = bytes.substr(0, bytes.size() - kSumLine);
  const auto head = take_until(rest, '\n');
  const auto expected = std::string(kMagic) + std::string(kind) + " ";
  if (!head || !head->starts_with(expected)) return corrupt(kind, "it is of another kind");
  const auto version = whole_number<std::int64_t>(head->substr(expected.size()));
  if (!version || !understood(*version)) return corrupt(kind, "it is of a version that this build does not know");
  Record record{std::string(kind)};
  record.version_ = *version;
  while (!rest.empty()) {
    const auto key = take_until(rest, ' ');
    const auto length = take_until(rest, '\n').and_then(whole_number<std::size_t>);
    if (!key || !length || rest.size() <= *length || rest[*length] != '\n') return corrupt(kind, "a field is cut");
    record.add(std::string(*key), std::string(rest.substr(0, *length)));
    rest.remove_prefix(*length + 1);
  }
  return record;
}

Result<Record> read_record(int folder, const char* name, std::string_view kind) {
  const auto bytes = read_file(folder, name, kMaxRecord);
  if (!bytes) return std::unexpected(bytes.error());
  return Record::decode(*bytes, kind);
}

}  // namespace ym::local
