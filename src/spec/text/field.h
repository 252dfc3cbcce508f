// Field: a value, where it stands, and where to complain about it. What the decoders
// are written with: each reader below either gives a checked value or adds a problem
// and gives nothing, so that one pass finds everything that is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "spec/value.h"

namespace ym::spec {

// The text in quotes for a message: cut short, everything that is not printable ASCII
// escaped.
std::string quoted(std::string_view text);

// A key as one step of a JSON pointer (RFC 6901): '~' and '/' are escaped, what a terminal
// could act upon is left out, and it is cut short.
std::string pointer_token(std::string_view key);

// All that is wrong in a text. Keeps the first hundred.
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

  // Where the message offers the words of a closed set, the one nearest to what was written is added to it: no decoder
  // has to think of that.
  void wrong(std::string message) const;
  Field child(std::string_view key, const Value& of) const;
};

// The keys of a map. Asking for a key makes it known; finish() reports the others.
class MapReader {
 public:
  // What is not a map is reported, and then has no keys.
  explicit MapReader(const Field& field);
  std::optional<Field> find(std::string_view key);
  // Like find, but reports a key that is not there, with what to write.
  std::optional<Field> require(std::string_view key, std::string_view hint);
  // A key that is known to come, but not there yet: reported with what to do meanwhile.
  void not_offered_yet(std::string_view key, std::string_view advice);
  void finish() const;

 private:
  const Field& field_;
  std::vector<std::string> known_;
  std::vector<std::string> later_;
};

// The items of a list, or nothing (reported) if it is none.
std::optional<std::vector<Field>> read_list(const Field& field, std::string_view what);
// The entries of a map whose keys are names of the user's choice.
std::optional<std::vector<std::pair<std::string, Field>>> read_entries(const Field& field);

// A string; numbers and booleans must be quoted.
std::optional<std::string> read_string(const Field& field);
// A string, number or boolean, as it was written.
std::optional<std::string> read_scalar_text(const Field& field);
// What was read, if it could be.
template <class T>
void assign(T& target, std::optional<T> value) {
  if (value) target = std::move(*value);
}

// true or false.
std::optional<bool> read_flag(const Field& field);
// Decimal, no sign but '-', no leading zeros (YAML 1.1 reads 010 as eight), min to max.
std::optional<std::int64_t> read_whole_number(const Field& field, std::int64_t min, std::int64_t max);
// An RFC 3339 time with a zone.
std::optional<Instant> read_time(const Field& field);
std::optional<Duration> read_duration(const Field& field, Duration min, Duration max);
// Names of jobs, queues, projects, clusters and flavors.
std::optional<std::string> read_name(const Field& field);
bool is_name(std::string_view text);

}  // namespace ym::spec
