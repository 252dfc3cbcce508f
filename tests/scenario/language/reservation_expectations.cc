// Checks the backfill reservations of a cycle, and when they begin.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenario/language/scenario.h"

namespace ym::testing {

// FROM [until T] [on NODES] [flavor=F] [cluster=C]
void Scenario::expect_reserves(JobId id, Words& words) {
  const auto found = std::ranges::find(plan_.reservations, id, &engine::Reservation::job);
  if (words.skip("nothing")) {
    if (found != plan_.reservations.end()) throw ScenarioError("it is promised machines:\n" + engine::to_text(plan_));
    return;
  }
  if (found == plan_.reservations.end()) throw ScenarioError("it is promised nothing:\n" + engine::to_text(plan_));
  const auto since_start = [](Instant time) { return ym::to_string(time - kStart); };
  const auto same = [&](std::string_view what, const std::string& wanted, const std::string& is) {
    if (wanted != is) throw ScenarioError(fmt::format("{} is '{}', not '{}'", what, is, wanted));
  };
  same("the time from which on", since_start(words.time("a time")), since_start(found->from));
  while (!words.done()) {
    if (words.skip("until"))
      same("the time until which", words.take("a time"), found->until ? since_start(*found->until) : "ever");
    else if (words.skip("on"))
      same("the nodes", fmt::format("{}", fmt::join(expand(words.take("nodes")), ",")),
           fmt::format("{}", fmt::join(found->nodes, ",")));
    else if (const auto word = words.take(""); word.starts_with("flavor="))
      same("the flavor", word.substr(7), found->flavor);
    else if (word.starts_with("cluster=")) same("the cluster", word.substr(8), found->cluster);
    else throw ScenarioError(fmt::format("'{}' is not understood of a reservation", word));
  }
}

void Scenario::expect_reservations(Words& words) const {
  std::string wanted, found;
  while (!words.done()) wanted += " " + words.take("");
  for (const auto& one : plan_.reservations) found += " " + name_of(one.job);
  if (wanted != found) throw ScenarioError(fmt::format("promised machines are'{}', not'{}'", found, wanted));
}

}  // namespace ym::testing
