// TableReader: a table in a text file, plain or gzip, one row after another in bounded memory.
//
// Quoted fields, line ends of any kind, a byte order mark and empty lines are taken as they come. What is refused, as
// `invalid` with file and line: a row of more than 1 MiB, a NUL, a row of another length than the first, a file that
// holds nothing, and one that unpacks to more than a thousand times its size.
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
    std::int64_t line = 0;  // where it begins, counted from 1
    std::vector<std::string> fields;
  };

  // Looks at the first line to see whether fields are parted by tabs, bars or commas.
  static Result<TableReader> open(const std::string& path);
  TableReader(TableReader&&) noexcept;
  TableReader& operator=(TableReader&&) noexcept;
  ~TableReader();

  // Nothing at the end.
  Result<std::optional<Row>> next();
  const std::string& path() const;
  // How much of the file was read so far, of 1; for people.
  double read_share() const;

 private:
  struct Impl;
  explicit TableReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::sim
