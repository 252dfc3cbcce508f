// The bytes of a stored event (StoredEvent::bytes) and its columns: one can be made of the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ym {

struct StoredColumns {
  std::int64_t seq = 0;
  std::int64_t time = 0;  // milliseconds since 1970
  std::string type;
  std::int64_t version = 0;  // of the payload's form
  std::optional<std::int64_t> job{}, attempt{};
  std::string actor, reason;
  std::string payload;  // JSON
  std::string spec{};   // JSON of the specification that it submits; empty: none
  bool operator==(const StoredColumns&) const = default;
};

// Appends a column: a number, a text, or nothing. A damaged row has bytes, too.
void add_column(std::string& bytes, std::int64_t number);
void add_column(std::string& bytes, std::string_view text);
void add_column(std::string& bytes, std::nullopt_t);

// Errors: `corrupt`: these are not the bytes of an event.
Result<StoredColumns> columns_of(std::string_view bytes);
std::string bytes_of(const StoredColumns& columns);

}  // namespace ym
