// RowView: the fields of a row by the names of their columns, with errors that say which of them is wrong.
//
// The first error is kept, and what is asked for after it means nothing: a format reads all that it needs and then asks
// for error().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "sim/workload/table_reader.h"

namespace ym::sim {

// Where each column stands.
using Columns = std::map<std::string, std::size_t, std::less<>>;

class RowView {
 public:
  RowView(const Columns& columns, const TableReader::Row& row, const std::string& path)
      : columns_(columns), row_(row), path_(path) {}

  std::int64_t line() const { return row_.line; }
  bool has(std::string_view column) const { return columns_.contains(column); }
  // Empty where there is no such column.
  std::string_view text(std::string_view column) const;
  // Whole, at least `least`. An empty or absent one is an error.
  std::int64_t count(std::string_view column, std::int64_t least = 0);
  // The same in so many milliseconds each ("1.5" of 1000: 1500 ms), rounded to whole ones; never negative.
  Duration duration(std::string_view column, std::int64_t unit_ms);
  // The same of a part of what stands in the column.
  Duration duration_of(std::string_view written, std::string_view column, std::int64_t unit_ms);
  // Any number of at least 0, as it is written.
  double real(std::string_view column);
  // What follows from the column and others, in seconds of at least 0, as whole milliseconds.
  Duration seconds_for(std::string_view column, double seconds);
  // "2017-10-09 07:01:55", "2017-10-09T07:01:55", taken as UTC unless it says otherwise ("+0100" too); or seconds from
  // the beginning.
  Instant instant(std::string_view column);

  void refuse(std::string_view column, std::string_view why);
  const std::optional<Error>& error() const { return error_; }
  // Of a row that is as it should be, and yet of no job: why, for those who count them.
  void pass_over(std::string_view why) { passed_over_ = why; }
  const std::string& passed_over() const { return passed_over_; }

 private:
  std::optional<double> number(std::string_view written, std::string_view column);

  const Columns& columns_;
  const TableReader::Row& row_;
  const std::string& path_;
  std::optional<Error> error_;
  std::string passed_over_;
};

// What a trace says, for a message: what is not printable is '?', and long values are cut, as a line may be a megabyte.
std::string shown(std::string_view text);

// Where time begins for traces that count from their beginning.
Instant trace_epoch();

}  // namespace ym::sim
