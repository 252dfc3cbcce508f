// Record: the text format of all files that executor and supervisors write for each other.
//
//   yardmaster <kind> <version>\n
//   <key> <length>\n<bytes>\n        any number of times, keys may repeat
//   sum <16 hex digits>\n            of all bytes before this line
//
// Values may contain any bytes. A record that is cut, changed or of another kind is not decoded. Unknown keys are kept
// and ignored. This build reads its own version and the version before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace ym::local {

// 2: supervisors answer pings, and user code has YM_LAUNCH_NONCE.
// 3: supervisors give notice of a stop, and retain and forward progress reports of user code.
inline constexpr int kProtocolVersion = 3;
inline constexpr std::size_t kMaxRecord = std::size_t{64} << 20;

// True for the versions that this build understands.
bool understood(std::int64_t version);

class Record {
 public:
  explicit Record(std::string kind) : kind_(std::move(kind)) {}

  // Precondition: `key` is lower-case letters, digits, '_' and '.'.
  void add(std::string key, std::string value) { fields_.emplace_back(std::move(key), std::move(value)); }
  void add(std::string key, std::int64_t value) { add(std::move(key), std::to_string(value)); }

  // The first value of a key.
  std::optional<std::string> text(std::string_view key) const;
  std::optional<std::int64_t> number(std::string_view key) const;
  // All values of a key, in order.
  std::vector<std::string> all(std::string_view key) const;

  // Version of the build that wrote it.
  std::int64_t version() const { return version_; }

  std::string encode() const;
  // Errors: `corrupt`.
  static Result<Record> decode(std::string_view bytes, std::string_view kind);

 private:
  std::string kind_;
  std::int64_t version_ = kProtocolVersion;
  std::vector<std::pair<std::string, std::string>> fields_;
};

// Reads and decodes a record file. Errors: `not_found`, `corrupt`, `io`.
Result<Record> read_record(int folder, const char* name, std::string_view kind);

}  // namespace ym::local
