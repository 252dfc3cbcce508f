#include "cli/what_next.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

// Verbs that act on jobs accept the id of an array for all of its members.
std::string all_of(const json::array& jobs) {
  const auto group = text_at(jobs.front(), "group_id");
  const bool one_array =
      !group.empty() && std::ranges::all_of(jobs, [&](const auto& job) { return text_at(job, "group_id") == group; });
  if (one_array) return group;
  std::string ids;
  for (const auto& job : jobs) ids += (ids.empty() ? "" : " ") + id_of(job);
  return ids;
}

}  // namespace

void say_what_next(Session& session, const json::array& jobs) {
  constexpr std::size_t kNamed = 5;
  if (jobs.empty()) return;
  const auto first = id_of(jobs.front());
  const auto all = all_of(jobs);
  session.err << fmt::format("  output  ym logs -f {}\n  waits?  ym why {}\n", first, first);
  if (jobs.size() > 1) session.err << "  all     ym ps\n";
  if (jobs.size() <= kNamed || !all.contains(' ')) session.err << fmt::format("  stop    ym cancel {}\n", all);
  session.err << std::flush;
}

void say_what_next_on_a_terminal(Session& session, const json::array& jobs) {
  if (session.terminal.out && session.terminal.err && session.is_table()) say_what_next(session, jobs);
}

}  // namespace ym::cli
