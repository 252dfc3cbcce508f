// Field: a value, its place, and a list for its problems. Decoders are made from the readers below: each returns a
// checked value, or adds a problem and returns nothing. So one pass finds all errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "spec/text/value.h"

namespace ym::spec {

// The text in quotes for a message. Shortens it, and escapes all characters but printable ASCII.
std::string quoted(std::string_view text);

// A key as one step of a JSON pointer (RFC 6901): escapes '~' and '/', removes characters that a terminal could act
// on, and shortens it.
std::string pointer_token(std::string_view key);

// The errors of a text. Keeps the first hundred.
class Problems {
 public:
  void add(std::string pointer, std::string message, int line);
  bool empty() const { return fields_.empty(); }
  Error error() const;  // precondition: !empty()

 private:
  std::vector<FieldError> fields_;
  std::size_t total_ = 0;
};

struct Field {
  const Value* value;
  std::string pointer;
  Problems* problems;

  // Adds a problem. If the message offers words of a closed set, adds the word nearest to the value, so no decoder
  // needs to do that.
  void wrong(std::string message) const;
  Field child(std::string_view key, const Value& of) const;
};

// The keys of a map. Asking for a key makes it known; finish() reports the unknown keys.
class MapReader {
 public:
  // Reports a value that is not a map; it then has no keys.
  explicit MapReader(const Field& field);
  std::optional<Field> find(std::string_view key);
  // Like find, but reports a missing key with `hint`, which says what to write.
  std::optional<Field> require(std::string_view key, std::string_view hint);
  // A key that is planned but not offered yet. Reports it with `advice`, which says what to do meanwhile.
  void not_offered_yet(std::string_view key, std::string_view advice);
  // A key that is known but never suggested.
  void accept(std::string_view key) { later_.emplace_back(key); }
  void finish() const;

 private:
  const Field& field_;
  std::vector<std::string> known_;
  std::vector<std::string> later_;
};

// The items of a list. Nothing: it is not a list, which is reported.
std::optional<std::vector<Field>> read_list(const Field& field, std::string_view what);
// The entries of a map whose keys are names that the user chooses.
std::optional<std::vector<std::pair<std::string, Field>>> read_entries(const Field& field);

// A string; numbers and booleans must be quoted.
std::optional<std::string> read_string(const Field& field);
// A string, number or boolean in its original spelling.
std::optional<std::string> read_scalar_text(const Field& field);
// Assigns the value, if it could be read.
template <class T>
void assign(T& target, std::optional<T> value) {
  if (value) target = std::move(*value);
}

// true or false.
std::optional<bool> read_flag(const Field& field);
// A decimal number from min to max. No sign but '-', no leading zeros (YAML 1.1 reads 010 as eight).
std::optional<std::int64_t> read_whole_number(const Field& field, std::int64_t min, std::int64_t max);
// An RFC 3339 time with a time zone.
std::optional<Instant> read_time(const Field& field);
std::optional<Duration> read_duration(const Field& field, Duration min, Duration max);
// Names of jobs, queues, projects, clusters and flavors.
std::optional<std::string> read_name(const Field& field);
bool is_name(std::string_view text);

}  // namespace ym::spec
