#include "control/lost_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "control/lost_devices.h"

namespace ym {
namespace {

constexpr const char* kActor = "server";

// Readers are for one thread at a time.
class Judge {
 public:
  explicit Judge(Store& store) : store_(store) {}

  bool is_lost(const Token& token) {
    const std::lock_guard lock(mutex_);
    if (!reader_)
      if (auto reader = store_.reader()) reader_ = std::move(*reader);
    const auto lost = reader_ ? look(token) : std::nullopt;
    // The next one may read what this one could not.
    if (!lost) reader_.reset();
    return lost.value_or(true);
  }

 private:
  // Nothing: it cannot be read.
  std::optional<bool> look(const Token& token) {
    const auto job = reader_->job(token.job);
    if (!job) return std::nullopt;
    if (!*job || token.attempt > (*job)->attempts) return true;
    const auto attempts = reader_->attempts(token.job);
    if (!attempts) return std::nullopt;
    const auto same = std::ranges::find(*attempts, token.attempt, &Attempt::number);
    // One that is passed over had ended before the one that was adopted.
    return same != attempts->end() && same->epoch != token.epoch;
  }

  Store& store_;
  std::mutex mutex_;
  std::unique_ptr<StoreReader> reader_;
};

struct Found {
  std::string cluster;
  LostLaunch launch;
};

std::string name_of(const Found& found) {
  const Token& token = found.launch.token;
  return fmt::format("attempt {} of job {} on cluster '{}' ({})", token.attempt, to_string(token.job), found.cluster,
                     found.launch.where);
}

class Stage {
 public:
  Stage(Staging& staging, LostReport& report) : staging_(staging), report_(report) {}

  // Of one job, the newest last. It was launched when all before it had ended.
  void operator()(JobId id, const std::vector<Found>& launches) {
    const auto job = tables().jobs.find(id);
    if (job == tables().jobs.end() || is_terminal(job->second.state)) {
      for (const auto& found : launches) leave(found);
      return;
    }
    const Found& last = launches.back();
    if (const Attempt* live = tables().live_attempt(id); live && live->number < last.launch.token.attempt) end(*live);
    const bool is_next = last.launch.token.attempt > job->second.attempts;
    if (!is_next || tables().live_attempt(id) || job->second.cancel_requested) return leave(last);
    if (is_whole(last)) adopt(job->second, last);
    else hold(id, last);
  }

 private:
  const Tables& tables() const { return staging_.tables(); }
  void add(EventPayload payload, std::string reason = {}) {
    staging_.add(kActor, std::move(payload), std::move(reason));
  }

  bool is_whole(const Found& found) const {
    const auto& placement = found.launch.placement;
    return !placement.empty() && std::ranges::all_of(placement, [this](const TaskPlacement& task) {
      return tables().nodes.contains(task.node);
    });
  }

  void leave(const Found& found) {
    if (found.launch.lives)
      report_.sentences.push_back(
          fmt::format("{} is none that this state knows: it is let be, and keeps its devices", name_of(found)));
  }

  void end(const Attempt& attempt) {
    constexpr std::string_view kWhy = "it ended after the state was stored that was put back, how is not known";
    const AttemptKey key = attempt.key();
    report_.over.push_back({attempt.cluster, attempt.token()});
    for (std::int32_t task = 0; std::cmp_less(task, tables().attempts.at(key).tasks.size()); ++task)
      if (tables().attempts.at(key).tasks[static_cast<std::size_t>(task)].state != TaskState::ended)
        add(TaskEnded{key, task, {.by = EndedBy::lost, .message = std::string(kWhy), .at = staging_.now()}});
    add(AttemptEnded{.attempt = key, .by = EndedBy::lost, .message = std::string(kWhy)});
    add(JobRequeued{.job = key.job, .cause = RetryCause::launch}, std::string(kWhy));
  }

  void adopt(const Job& job, const Found& found) {
    const JobId id = job.id;
    if (job.state == JobState::held) add(JobReleased{id}, "it was released before the state was set back");
    const Token& token = found.launch.token;
    Attempt attempt{.job = id,
                    .number = token.attempt,
                    .epoch = token.epoch,
                    .cluster = found.cluster,
                    .queue = job.queue,
                    .placement = found.launch.placement,
                    .admitted_at = staging_.now()};
    choose_devices(tables(), *job.spec, attempt.placement);
    attempt.flavor = flavors_of(tables(), *job.spec, attempt.placement);
    attempt.tasks.resize(attempt.placement.size());
    attempt.adopted = true;
    const AttemptKey key = attempt.key();
    add(AttemptAdmitted{std::move(attempt)}, "it was launched before the state was set back, and is found again");
    add(AttemptSubmitted{key});
    report_.sentences.push_back(
        fmt::format("{} {} and is taken up again", name_of(found), found.launch.lives ? "lives" : "has ended"));
  }

  void hold(JobId id, const Found& found) {
    const auto why = fmt::format(
        "{} was launched before the state was set back, and not all of it is known: see that it is gone, then `ym "
        "release` the job",
        name_of(found));
    if (tables().jobs.at(id).state == JobState::queued) add(JobHeld{id}, why);
    report_.sentences.push_back(why);
  }

  Staging& staging_;
  LostReport& report_;
};

}  // namespace

IsLost lost_by(Store& store) {
  return [judge = std::make_shared<Judge>(store)](const Token& token) { return judge->is_lost(token); };
}

Result<LostLaunches> find_lost_launches(const std::map<std::string, Executor*>& executors) {
  LostLaunches lost;
  for (const auto& [cluster, executor] : executors) {
    auto found = executor->lost_launches();
    if (!found)
      return fail(found.error().code,
                  fmt::format("the state was set back, and what was launched on cluster '{}' since cannot be seen: {}. "
                              "Nothing was changed; start again when it answers",
                              cluster, found.error().message));
    if (!found->empty()) lost[cluster] = std::move(*found);
  }
  return lost;
}

std::uint64_t newest_epoch(const LostLaunches& lost) {
  std::uint64_t newest = 0;
  for (const auto& [cluster, launches] : lost)
    for (const auto& launch : launches) newest = std::max(newest, launch.token.epoch);
  return newest;
}

LostReport stage_lost_launches(Staging& staging, const LostLaunches& lost) {
  std::map<JobId, std::vector<Found>> by_job;
  for (const auto& [cluster, launches] : lost)
    for (const auto& launch : launches) by_job[launch.token.job].push_back({cluster, launch});
  LostReport report;
  Stage stage(staging, report);
  for (auto& [job, launches] : by_job) {
    std::ranges::sort(launches, {}, [](const Found& found) { return std::tie(found.launch.token, found.cluster); });
    stage(job, launches);
  }
  return report;
}

}  // namespace ym
