// Checks the predicted starts of jobs, and the changes that would let them start at once.
#include <fmt/format.h>

#include "engine/forecast/deadline_verdict.h"
#include "engine/forecast/sooner.h"
#include "scenario/language/scenario.h"

namespace ym::testing {

void Scenario::forecast(Words& words) {
  if (!words.skip("at")) throw ScenarioError("'at' and a time are wanted");
  world_.advance(words.time("a time"));
  engine::ForecastBounds bounds;
  if (words.skip("horizon")) bounds.horizon = words.duration("a duration");
  decided_ = true;
  forecast_ = engine::forecast(world_.state(), policy_, world_.now(), bounds);
}

namespace {

void same_start(std::string_view what, const std::string& wanted, std::optional<Instant> is) {
  const std::string text = is ? ym::to_string(*is - kStart) : "unknown";
  if (wanted != text) throw ScenarioError(fmt::format("{} is '{}', not '{}'", what, text, wanted));
}

// [because CAUSE]
void expect_no_start(const engine::Forecast& forecast, JobId id, Words& words) {
  if (forecast.starts.contains(id)) throw ScenarioError("a start is predicted");
  if (!words.skip("because")) return;
  const auto wanted = words.take("a cause");
  const auto found = forecast.without.find(id);
  const std::string cause(found == forecast.without.end() ? "unknown" : to_string(found->second));
  if (wanted != cause) throw ScenarioError(fmt::format("no start is predicted because '{}', not '{}'", cause, wanted));
}

}  // namespace

const engine::PredictedStart& Scenario::predicted(JobId id) const {
  const auto found = forecast_.starts.find(id);
  if (found == forecast_.starts.end()) throw ScenarioError("no start is predicted");
  return found->second;
}

// nothing [because CAUSE] | T [low T] [high T|unknown]
void Scenario::expect_predicted(JobId id, Words& words) {
  if (words.skip("nothing")) return expect_no_start(forecast_, id, words);
  const auto& start = predicted(id);
  same_start("the usual start", words.take("a time"), start.median);
  while (!words.done()) {
    if (words.skip("low")) same_start("the early start", words.take("a time"), start.low);
    else if (words.skip("high")) same_start("the late start", words.take("a time"), start.high);
    else words.end();
  }
}

// T T|unknown
void Scenario::expect_between(JobId id, Words& words) {
  const std::string queue = world_.tables().jobs.at(id).queue;
  const auto said = engine::adjusted_at(forecast_, queue, predicted(id), world_.now());
  same_start("the early end", words.take("a time"), said.low);
  same_start("the late end", words.take("a time"), said.high);
}

// nothing | KEY VALUE ..
void Scenario::expect_sooner(JobId id, Words& words) {
  std::string wanted;
  while (!words.done()) wanted += (wanted.empty() ? "" : " ") + words.take("");
  engine::Sooner asked(world_.state(), policy_, world_.now());
  std::string found;
  for (const auto& change : asked.changes_for(id))
    found += fmt::format("{}{} {}", found.empty() ? "" : " ", change.key, change.value);
  if (wanted == "nothing") wanted.clear();
  if (found != wanted)
    throw ScenarioError(fmt::format("it would start sooner with '{}', not with '{}'", found, wanted));
}

// nothing | OUTCOME [latest T] [start T] [yields JOBS]
void Scenario::expect_verdict(JobId id, Words& words) {
  engine::DeadlineJudge judge(world_.state(), policy_, forecast_);
  const auto verdict = judge.judge(id);
  std::string wanted, found = verdict ? std::string(to_string(verdict->outcome)) : "nothing";
  while (!words.done()) wanted += (wanted.empty() ? "" : " ") + words.take("");
  if (verdict && verdict->latest_start) found += " latest " + ym::to_string(*verdict->latest_start - kStart);
  if (verdict && verdict->start) found += " start " + ym::to_string(*verdict->start - kStart);
  if (verdict && !verdict->yields.empty()) found += " yields";
  if (verdict)
    for (const JobId yields : verdict->yields) found += " " + name_of(yields);
  if (found != wanted) throw ScenarioError(fmt::format("the verdict is '{}', not '{}'", found, wanted));
}

// [starts JOBS] [waits JOBS] [stops JOBS] [spares JOBS] [sooner JOBS] [later JOBS], in this order; or nothing
void Scenario::expect_diff(Words& words) const {
  std::string wanted, found;
  while (!words.done()) wanted += (wanted.empty() ? "" : " ") + words.take("");
  const auto add = [&](std::string_view kind, const auto& those, auto id_of) {
    if (!those.empty()) found += fmt::format("{}{}", found.empty() ? "" : " ", kind);
    for (const auto& one : those) found += " " + name_of(id_of(one));
  };
  const auto itself = [](JobId id) { return id; };
  const auto of_it = [](const auto& one) { return one.job; };
  add("starts", diff_.starts, itself);
  add("waits", diff_.keeps_waiting, itself);
  add("stops", diff_.stops, of_it);
  add("spares", diff_.spares, of_it);
  add("sooner", diff_.sooner, of_it);
  add("later", diff_.later, of_it);
  if (wanted == "nothing") wanted.clear();
  if (found != wanted) throw ScenarioError(fmt::format("it would be '{}', not '{}'", found, wanted));
}

}  // namespace ym::testing
