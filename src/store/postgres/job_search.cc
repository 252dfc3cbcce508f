#include "store/postgres/job_search.h"

#include <fmt/ranges.h>

#include "store/postgres/rows.h"

namespace ym::postgres {
namespace {

// The conditions that do not depend on the state. Adds the parameters in the same order.
std::string conditions_of(const JobFilter& filter, Parameters& parameters) {
  std::string sql;
  for (const auto& [name, value] : rows::conditions_of(filter)) {
    parameters.add_cell(value);
    sql += fmt::format(" AND {} = ${}", name, parameters.count());
  }
  return sql + rows::condition_of_sets(filter, [&](const rows::Cell& value) {
           parameters.add_cell(value);
           return fmt::format("${}", parameters.count());
         });
}

}  // namespace

// One search for each state: each can follow an index in the wanted order, but one search for several states cannot.
// The state is a literal in the text. Otherwise PostgreSQL does not see that a partial index covers the jobs of this
// search.
Statement job_search(const JobFilter& filter, std::int64_t before, std::int64_t limit) {
  Statement statement;
  statement.parameters.add(before).add(limit);
  const auto conditions = conditions_of(filter, statement.parameters);
  std::vector<std::string> searches;
  for (const auto state : rows::states_of(filter))
    searches.push_back(fmt::format("({} WHERE state = '{}' AND id < $1{} ORDER BY id DESC LIMIT $2)", kSelectJobs,
                                   to_string(state), conditions));
  statement.sql = fmt::format("SELECT * FROM ({}) found ORDER BY id DESC LIMIT $2", fmt::join(searches, " UNION ALL "));
  return statement;
}

}  // namespace ym::postgres
