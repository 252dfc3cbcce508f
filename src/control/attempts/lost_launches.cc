#include "control/attempts/lost_launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "control/attempts/lost_devices.h"

namespace ym {
namespace {

constexpr const char* kActor = "server";

// After a failed read, the store is not read again for this time: each call would wait for it.
constexpr std::chrono::seconds kNotAskedAgain{5};

// Has a lock, because a reader serves one thread at a time.
class Judge {
 public:
  explicit Judge(Store& store) : store_(store) {}

  bool is_lost(const Token& token) {
    const std::lock_guard lock(mutex_);
    if (std::chrono::steady_clock::now() < not_before_) return true;
    if (!reader_)
      if (auto reader = store_.reader()) reader_ = std::move(*reader);
    const auto lost = reader_ ? look(token) : std::nullopt;
    if (lost) return *lost;
    // A new reader may succeed where this one failed.
    reader_.reset();
    not_before_ = std::chrono::steady_clock::now() + kNotAskedAgain;
    return true;
  }

 private:
  // Nothing: the store cannot be read.
  std::optional<bool> look(const Token& token) {
    const auto job = reader_->job(token.job);
    if (!job) return std::nullopt;
    if (!*job || token.attempt > (*job)->attempts) return true;
    const auto attempts = reader_->attempts(token.job);
    if (!attempts) return std::nullopt;
    const auto same = std::ranges::find(*attempts, token.attempt, &Attempt::number);
    // A number without a row was skipped when a later attempt was adopted: the skipped one had ended before. Launches
    // of older versions may have no epoch.
    return same != attempts->end() && same->epoch != token.epoch && token.epoch != 0;
  }

  Store& store_;
  std::mutex mutex_;
  std::unique_ptr<StoreReader> reader_;
  std::chrono::steady_clock::time_point not_before_;
};

// Epochs are milliseconds. A clock may have been ahead by this much, ten years.
constexpr std::uint64_t kEpochsAhead = 10ULL * 366 * 24 * 3600 * 1000;
constexpr std::int32_t kMostAttempts = 1 << 24;

struct Found {
  std::string cluster;
  LostLaunch launch;
};

std::string name_of(const Found& found) {
  const Token& token = found.launch.token;
  return fmt::format("attempt {} of job {} on cluster '{}' ({})", token.attempt, to_string(token.job), found.cluster,
                     found.launch.where);
}

class StageLost {
 public:
  StageLost(Staging& staging, LostReport& report) : staging_(staging), report_(report) {}

  // Stages the launches of one job. Precondition: they are sorted, the newest last.
  void operator()(JobId id, const std::vector<Found>& launches) {
    const auto job = tables().jobs.find(id);
    const bool goes_on = job != tables().jobs.end() && !is_terminal(job->second.state) && !job->second.cancel_requested;
    const Found* taken = goes_on ? take(id, launches) : nullptr;
    for (const auto& found : launches)
      if (&found != taken && found.launch.lives) leave(found);
  }

 private:
  const Tables& tables() const { return staging_.tables(); }
  void add(EventPayload payload, std::string reason = {}) {
    staging_.add(kActor, std::move(payload), std::move(reason));
  }

  // Whether the launch has a number of tasks that the spec allows, each on a known node of its cluster.
  bool is_whole(const JobSpec& spec, const Found& found) const {
    const auto& placement = found.launch.placement;
    const auto tasks = std::ssize(placement);
    const auto least = spec.groups.empty() ? spec.smallest() : spec.nodes;
    if (tasks < least || tasks > spec.nodes) return false;
    for (std::int32_t task = 0; task < tasks; ++task) {
      const auto& placed = placement[static_cast<std::size_t>(task)];
      const auto node = tables().nodes.find(placed.node);
      if (placed.task != task || node == tables().nodes.end() || node->second.cluster != found.cluster) return false;
    }
    return true;
  }

  // Returns the launch that is adopted, or for which the job is held. A job does not start while a launch of it lives,
  // or if a launch has done more than the state knows. Null: the job has a live attempt, or no launch is in its way.
  const Found* take(JobId id, const std::vector<Found>& launches) {
    const Found& last = launches.back();
    const bool is_next = last.launch.token.attempt > tables().jobs.at(id).attempts;
    const bool is_news = end_what_was_before(id, last) || is_next;
    if (tables().live_attempt(id)) return nullptr;
    const Job& job = tables().jobs.at(id);
    if (is_next && is_whole(*job.spec, last)) {
      adopt(job, last);
      return &last;
    }
    const auto living = std::ranges::find_if(launches, [](const Found& found) { return found.launch.lives; });
    const Found* why = is_news ? &last : living != launches.end() ? &*living : nullptr;
    if (why) hold(id, *why);
    return why;
  }

  // Ends the live attempt if there is a later launch: a launch is made only after the one before has ended. Traces that
  // a job itself can leave prove nothing.
  bool end_what_was_before(JobId id, const Found& found) {
    const Attempt* live = tables().live_attempt(id);
    if (!live || !found.launch.by_record || !(live->token() < found.launch.token)) return false;
    end(*live);
    return true;
  }

  void leave(const Found& found) {
    report_.sentences.push_back(
        fmt::format("{} is not known to this state: it is left alone, and keeps its devices", name_of(found)));
  }

  void end(const Attempt& attempt) {
    constexpr std::string_view kWhy = "it ended after the restored state was stored; how is not known";
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
    attempt.prices_micros = prices_of(attempt.flavor, tables().flavors);
    attempt.tasks.resize(attempt.placement.size());
    attempt.adopted = true;
    const AttemptKey key = attempt.key();
    add(AttemptAdmitted{std::move(attempt)}, "it was launched before the state was set back, and is found again");
    add(AttemptSubmitted{key});
    report_.sentences.push_back(
        fmt::format("{} {} and is tracked again", name_of(found), found.launch.lives ? "lives" : "has ended"));
  }

  void hold(JobId id, const Found& found) {
    const auto why = fmt::format(
        "{} was launched before the state was set back, and not all of it is known: make sure that it is gone, "
        "then `ym release` the job",
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
                  fmt::format("the state was set back, and launches since then on cluster '{}' cannot be listed: {}. "
                              "Nothing was changed; start the server again when the cluster answers",
                              cluster, found.error().message));
    if (!found->empty()) lost[cluster] = std::move(*found);
  }
  return lost;
}

std::vector<std::string> drop_invalid_tokens(LostLaunches& lost, std::uint64_t newest) {
  std::vector<std::string> sentences;
  for (auto& [cluster, launches] : lost) {
    const auto is_made_up = [&](const LostLaunch& launch) {
      return launch.token.epoch > newest + kEpochsAhead || launch.token.attempt > kMostAttempts;
    };
    for (const auto& launch : launches)
      if (is_made_up(launch))
        sentences.push_back(
            fmt::format("{} on cluster '{}' bears the token {}, which no server has issued: it is left alone",
                        launch.where, cluster, to_string(launch.token)));
    std::erase_if(launches, is_made_up);
  }
  return sentences;
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
  StageLost stage(staging, report);
  for (auto& [job, launches] : by_job) {
    std::ranges::sort(launches, {}, [](const Found& found) { return std::tie(found.launch.token, found.cluster); });
    stage(job, launches);
  }
  return report;
}

}  // namespace ym
