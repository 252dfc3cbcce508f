// Jobs of a scenario: how they arrive, and what happens to them.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/language/scenario.h"

namespace ym::testing {

namespace {

// 4, or 2-4: elastic.
void read_nodes(const std::string& text, JobSpec& spec) {
  const auto sizes = split(text, '-');
  spec.nodes = std::stoi(sizes.back());
  if (sizes.size() == 2) spec.min_nodes = std::stoi(sizes.front());
}

}  // namespace

// The array that the job is a member of. False: the next word is about something else.
bool Scenario::read_kind(Words& words, Submission& read) {
  if (words.skip("image")) {
    read.spec.image = words.take("an image");
    return true;
  }
  if (!words.skip("array")) return false;
  read.array = GroupId{static_cast<std::uint64_t>(words.number("the id of an array"))};
  read.spec.array_parallel = static_cast<std::int32_t>(words.number("how many may run at once"));
  return true;
}

// The GPUs of a task. False: the next word is about something else.
bool Scenario::read_devices(Words& words, TaskResources& resources) const {
  const auto count_of = [&](const std::string& text) {
    const auto parts = split(text, ':');
    if (parts.size() == 1) return parts.back();
    auto types = split(parts[0], '|');
    resources.gpu_type = types.front();
    resources.other_gpu_types.assign(types.begin() + 1, types.end());
    return parts.back();
  };
  if (words.skip("gpus")) resources.gpus = std::stoi(count_of(words.take("gpus"))) * kMilli;
  else if (words.skip("gpu_share")) resources.gpus = *parse_thousandths(count_of(words.take("a share")));
  else if (words.skip("gpu_memory")) resources.gpu_memory_bytes = words.bytes("an amount");
  else if (words.skip("mig")) {
    const auto parts = split(words.take("slices"), ':');
    if (!slice_milli(parts[0])) throw ScenarioError(parts[0] + " is no profile");
    resources.profile = parts[0];
    resources.slices = parts.size() == 2 ? std::stoi(parts[1]) : 1;
    resources.gpus = resources.slices * *slice_milli(resources.profile);
  } else return false;
  return true;
}

// Rules for stopping it. False: the next word is about something else.
bool Scenario::read_stop_rules(Words& words, StopRules& rules) const {
  if (words.skip("min_runtime")) rules.min_runtime = words.duration("a duration");
  else if (words.skip("grace")) rules.grace = words.duration("a duration");
  else if (words.skip("unpreemptible")) rules.preemptible = false;
  else return false;
  return true;
}

// Placement rules. False: the next word is about something else.
bool Scenario::read_placement_rules(Words& words, PlacementRules& rules) const {
  if (words.skip("select")) rules.select = words.labels("key=value");
  else if (words.skip("exclude")) rules.exclude = words.list("nodes");
  else if (words.skip("required")) rules.required_level = words.take("a level");
  else if (words.skip("preferred")) rules.preferred_level = words.take("a level");
  else if (words.skip("anchor")) rules.anchor = static_cast<std::int32_t>(words.number("nodes"));
  else if (words.skip("slice"))
    rules.slice = {.level = words.take("a level"), .nodes = static_cast<std::int32_t>(words.number("nodes"))};
  else return false;
  return true;
}

Scenario::Submission Scenario::read_submission(const std::string& name, Words& words) {
  Submission read{.spec = {}, .at = world_.now()};
  JobSpec& spec = read.spec;
  spec.name = name;
  const TaskResources least{.cpus = kMilli, .memory_bytes = kGiB};
  spec.resources = least;
  const auto resources = [&]() -> TaskResources& {
    return spec.groups.empty() ? spec.resources : spec.groups.back().resources;
  };
  while (!words.done()) {
    if (words.skip("queue")) spec.queue = words.take("a queue");
    else if (words.skip("nodes")) read_nodes(words.take("nodes"), spec);
    else if (words.skip("priority")) spec.priority = static_cast<std::int32_t>(words.number("a priority"));
    else if (words.skip("cpus")) resources().cpus = words.thousandths("an amount");
    else if (words.skip("memory")) resources().memory_bytes = words.bytes("an amount");
    else if (words.skip("group")) {
      spec.groups.push_back({.name = words.take("a name"), .nodes = static_cast<std::int32_t>(words.number("nodes"))});
      spec.groups.back().resources = least;
    } else if (read_placement_rules(words, spec.placement.edit()) || read_stop_rules(words, spec.stop)) continue;
    else if (words.skip("limit")) spec.time_limit = words.duration("a duration");
    else if (words.skip("predicted"))
      read.predicted = PredictedRunTime{.p10 = words.duration("a duration"),
                                        .p50 = words.duration("a duration"),
                                        .p90 = words.duration("a duration"),
                                        .samples = 10,
                                        .of_same_user = true};
    else if (words.skip("deadline")) spec.deadline = words.time("a time");
    else if (words.skip("at")) read.at = words.time("a time");
    else if (words.skip("held")) read.state = JobState::held;
    else if (words.skip("user")) read.user = words.take("a user");
    else if (!read_kind(words, read) && !read_devices(words, resources())) words.end();
  }
  if (spec.groups.empty()) return read;
  // The request of the job itself belongs to no task.
  spec.nodes = 0;
  for (const TaskGroup& group : spec.groups) spec.nodes += group.nodes;
  spec.resources = {};
  return read;
}

void Scenario::submit(Words& words) {
  const auto names = expand(words.take("a name"));
  Submission read = read_submission(names.front(), words);
  world_.advance(read.at);
  for (const auto& name : names) {
    read.spec.name = name;
    if (!jobs_.emplace(name, world_.submit(read.spec, read.at, read.state, read.user, read.array)).second)
      throw ScenarioError(fmt::format("there is a job {} already", name));
    if (read.predicted) world_.apply(RunTimePredicted{jobs_.at(name), *read.predicted});
  }
}

std::vector<TaskPlacement> Scenario::read_placement(Words& words) const {
  std::vector<TaskPlacement> placement;
  while (!words.done()) {
    const auto parts = split(words.peek(), ':');
    if (!world_.tables().nodes.contains(parts[0])) break;
    words.take("");
    placement.push_back({.task = static_cast<std::int32_t>(placement.size()), .node = parts[0], .devices = {}});
    if (parts.size() > 1) placement.back().devices = split(parts[1], ',');
  }
  if (placement.empty()) throw ScenarioError(fmt::format("there is no node '{}'", words.peek()));
  return placement;
}

// A job that was admitted before the scenario begins: it has its place, whatever the rules say now.
void Scenario::running(Words& words) {
  const std::string name = words.take("a name");
  if (!words.skip("on")) throw ScenarioError("'on' and nodes are wanted");
  engine::Admission admission{.placement = read_placement(words)};
  const Node& node = world_.tables().nodes.at(admission.placement.front().node);
  admission.cluster = node.cluster;
  admission.flavor = words.skip("flavor") ? words.take("a flavor") : flavor_of(world_.tables(), node);
  const bool starting = words.skip("starting");
  auto [spec, at, state, user, predicted, array] = read_submission(name, words);
  if (!spec.min_nodes) spec.nodes = static_cast<std::int32_t>(admission.placement.size());
  if (spec.resources.gpus == 0 && spec.groups.empty())
    spec.resources.gpus = static_cast<std::int64_t>(admission.placement.front().devices.size()) * kMilli;
  admission.job = world_.submit(std::move(spec), at, JobState::queued, user, array);
  jobs_[name] = admission.job;
  if (predicted) world_.apply(RunTimePredicted{admission.job, *predicted});
  world_.start(admission);
  if (!starting) world_.apply(AttemptStarted{world_.tables().live_attempt(admission.job)->key()});
}

void Scenario::start(Words& words) {
  while (!words.done()) world_.apply(AttemptStarted{live(words).key()});
}

// The attempt of the job that is named next.
const Attempt& Scenario::live(Words& words) const {
  const std::string name = words.take("a job");
  const Attempt* attempt = world_.tables().live_attempt(job(name));
  if (!attempt) throw ScenarioError(name + " does not run");
  return *attempt;
}

// A checkpoint of the running attempt, durable since a time, or since now.
void Scenario::checkpoint(Words& words) {
  const Attempt& attempt = live(words);
  const Instant at = words.skip("at") ? words.time("a time") : world_.now();
  ProgressReport report;
  report.checkpoint = Checkpoint{.uri = "file:/" + std::to_string(at.ms), .durable_at = at, .attempt = attempt.number};
  world_.apply(AttemptProgressed{.attempt = attempt.key(), .report = report});
}

void Scenario::skip_checkpoint(Words& words) {
  const JobId id = job(words.take("a job"));
  world_.apply(CheckpointSkipped{.job = id, .checkpoint = world_.tables().jobs.at(id).checkpoints.at(0)});
}

void Scenario::stop(Words& words) {
  const JobId id = live(words).job;
  world_.cancel(id, words.skip("until") ? std::optional(words.time("a time")) : std::nullopt);
}

void Scenario::end(Words& words) {
  while (!words.done()) world_.end(live(words).job);
}

void Scenario::requeue(Words& words) {
  const JobId id = live(words).job;
  world_.requeue(id, words.skip("until") ? std::optional(words.time("a time")) : std::nullopt);
}

void Scenario::lost(Words& words) { world_.apply(ContactLost{live(words).key()}); }

void Scenario::regained(Words& words) { world_.apply(ContactRegained{live(words).key()}); }

void Scenario::cancel(Words& words) { world_.apply(CancelRequested{job(words.take("a job"))}); }
// A waiting job is cancelled and ends.
void Scenario::withdraw(Words& words) {
  const JobId id = job(words.take("a job"));
  world_.apply(CancelRequested{id});
  world_.apply(JobFinished{.job = id, .state = JobState::cancelled});
}

void Scenario::hold(Words& words) { world_.apply(JobHeld{job(words.take("a job"))}); }
void Scenario::release(Words& words) { world_.apply(JobReleased{job(words.take("a job"))}); }

JobId Scenario::job(const std::string& name) const {
  const auto it = jobs_.find(name);
  if (it == jobs_.end()) throw ScenarioError(fmt::format("there is no job {}", name));
  return it->second;
}

std::string Scenario::name_of(JobId id) const {
  const auto it = std::ranges::find(jobs_, id, [](const auto& entry) { return entry.second; });
  return it == jobs_.end() ? to_string(id) : it->first;
}

}  // namespace ym::testing
