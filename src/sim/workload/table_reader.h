// TableReader: reads a table in a text file, plain or gzip, row by row in bounded memory.
//
// Quoted fields, all kinds of line ends, a byte order mark and empty lines are accepted. Errors, `invalid` with file
// and line: a row of more than 1 MiB, a NUL, a row with another number of fields than the first, an empty file, and a
// file that unpacks to more than a thousand times its size.
//
// Threads: one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ym::sim {

class TableReader {
 public:
  struct Row {
    std::int64_t line = 0;  // line of its beginning, counted from 1
    std::vector<std::string> fields;
  };

  // Looks at the first line to find out whether tabs, bars or commas separate the fields.
  static Result<TableReader> open(const std::string& path);
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;
  ~TableReader();

  // Nothing at the end.
  Result<std::optional<Row>> next();
  const std::string& path() const;
  // Part of the file that was read so far, from 0 to 1; for users.
  double read_share() const;

 private:
  struct Impl;
  explicit TableReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::sim
