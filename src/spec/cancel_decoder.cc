#include "spec/cancel_decoder.h"

#include <fmt/format.h>

#include "spec/text/field.h"
#include "spec/text/value.h"

namespace ym {

Result<std::vector<std::string>> parse_cancel_request(std::string_view json, std::size_t most) {
  const auto value = spec::read_json(json);
  if (!value) return std::unexpected(value.error());
  spec::Problems problems;
  const spec::Field root{&*value, "", &problems};
  spec::MapReader map(root);
  std::vector<std::string> jobs;
  if (const auto list = map.require("jobs", "list the ids or names of the jobs")) {
    for (const auto& item : spec::read_list(*list, "ids or names of jobs").value_or(std::vector<spec::Field>{}))
      if (auto job = spec::read_string(item)) jobs.push_back(std::move(*job));
    if (jobs.size() > most) list->wrong(fmt::format("has {} jobs; the most in one request is {}", jobs.size(), most));
  }
  map.finish();
  if (!problems.empty()) return std::unexpected(problems.error());
  return jobs;
}

}  // namespace ym
