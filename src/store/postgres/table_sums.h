// Number and checksums of rows, table by table: what was read of one store against what is
// stored in another.
#pragma once

#include <map>
#include <set>
#include <string>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

class TableSums {
 public:
  // The rows that this commit writes. Precondition: each row is in one commit, once; specs may be in several.
  void add(const Commit& commit);
  // All rows that are stored. On a connection that sees them.
  static Result<TableSums> stored(Connection& connection);

  // The first table that differs, and how; empty if none does.
  std::string difference_to(const TableSums& other) const;
  std::map<std::string, std::uint64_t> counts() const;

 private:
  struct Sum {
    std::uint64_t rows = 0, sum = 0;
    bool operator==(const Sum&) const = default;
  };
  // The order of rows does not count.
  template <std::size_t N>
  void add(const std::string& table, const std::array<rows::Cell, N>& cells, std::size_t columns = N);

  std::map<std::string, Sum> tables_;
  std::set<SpecId> specs_;
};

}  // namespace ym::postgres
