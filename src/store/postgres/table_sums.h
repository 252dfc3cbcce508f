// Number and checksums of rows, for each table. They compare the rows read from one store with the rows stored in
// another.
#pragma once

#include <map>
#include <set>
#include <string>

#include "store/postgres/connection.h"
#include "store/store.h"

namespace ym::postgres {

class TableSums {
 public:
  // Adds the rows of a commit. Precondition: each row is in one commit, once. A spec may be in several.
  void add(const Commit& commit);
  // Adds the specs of these jobs that are not added yet.
  void add_specs(const std::vector<Shared<Job>>& jobs);
  // The sums of all rows that the connection sees.
  static Result<TableSums> stored(Connection& connection);

  // Names the first table that differs, and the difference; empty if there is none.
  std::string difference_to(const TableSums& other) const;
  std::map<std::string, std::uint64_t> counts() const;

 private:
  struct Sum {
    std::uint64_t rows = 0, sum = 0;
    bool operator==(const Sum&) const = default;
  };
  // The order of rows does not matter.
  template <std::size_t N>
  void add(const std::string& table, const std::array<rows::Cell, N>& cells, std::size_t columns = N);
  void add_specs_of(const auto& list);  // of events or of jobs

  std::map<std::string, Sum> tables_;
  std::set<SpecId> specs_;
};

}  // namespace ym::postgres
