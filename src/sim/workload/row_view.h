// RowView: the fields of a row by the names of their columns. Errors name the wrong field.
//
// The first error is kept. Values that are read after it have no meaning: a format reads all that it needs and then
// calls error().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "sim/workload/table_reader.h"

namespace ym::sim {

// The index of each column.
using Columns = std::map<std::string, std::size_t, std::less<>>;

class RowView {
 public:
  RowView(const Columns& columns, const TableReader::Row& row, const std::string& path)
      : columns_(columns), row_(row), path_(path) {}

  std::int64_t line() const { return row_.line; }
  bool has(std::string_view column) const { return columns_.contains(column); }
  // Empty if there is no such column.
  std::string_view text(std::string_view column) const;
  // A whole number, at least `least`. An empty or missing field is an error.
  std::int64_t count(std::string_view column, std::int64_t least = 0);
  // A number in units of `unit_ms` milliseconds ("1.5" with 1000: 1500 ms), rounded to whole milliseconds; never
  // negative.
  Duration duration(std::string_view column, std::int64_t unit_ms);
  // The same for a part of the column's text.
  Duration duration_of(std::string_view written, std::string_view column, std::int64_t unit_ms);
  // Any number that is at least 0, unrounded.
  double real(std::string_view column);
  // A time that was computed from the column and others, in seconds, at least 0. Returns whole milliseconds.
  Duration seconds_for(std::string_view column, double seconds);
  // "2017-10-09 07:01:55", "2017-10-09T07:01:55", in UTC unless there is a zone (also "+0100"); or seconds from the
  // beginning.
  Instant instant(std::string_view column);

  void refuse(std::string_view column, std::string_view why);
  const std::optional<Error>& error() const { return error_; }
  // Marks a valid row that is not a job, with the reason for the summary.
  void skip(std::string_view why) { why_skipped_ = why; }
  const std::string& skipped() const { return why_skipped_; }

 private:
  std::optional<double> number(std::string_view written, std::string_view column);

  const Columns& columns_;
  const TableReader::Row& row_;
  const std::string& path_;
  std::optional<Error> error_;
  std::string why_skipped_;
};

// A text of the trace for messages: characters that cannot be printed become '?', and long values are cut, because a
// line may have a megabyte.
std::string shown(std::string_view text);

// The beginning of time in traces that count from their beginning.
Instant trace_epoch();

}  // namespace ym::sim
