// ReadModel: the committed live state, for readers.
//
// The control thread publishes after each commit; any thread reads. Rows are immutable and shared, so a reader holds
// the lock only to copy pointers. It has the newest kKeptAttempts attempts of a job, because each commit that touches
// the job lists them again.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/committed.h"
#include "control/counters.h"
#include "control/state/contact_watch.h"
#include "control/views.h"
#include "store/store.h"

namespace ym {

class ReadModel {
 public:
  static constexpr std::size_t kKeptAttempts = 16;

  // Everything in `tables` becomes visible at once.
  void reset(const Tables& tables);
  // Follows one commit.
  void publish(const Committed& committed, const Tables& tables);

  bool lives(JobId id) const;
  // Nothing: the job is not live.
  std::optional<JobView> job(JobId id) const;
  // Live jobs that match, newest first, with the seq of their state.
  struct Live {
    std::vector<JobView> jobs;
    std::uint64_t as_of = 0;
  };
  Live jobs(const JobFilter& filter, std::size_t limit) const;
  // The queued ones among these jobs: their number, and the first ones.
  struct Queued {
    std::vector<JobView> first;
    std::int64_t total = 0;
  };
  Queued queued(std::span<const engine::Verdict> of, std::size_t shown) const;
  // The owner's newest unfinished job of that name.
  std::optional<JobId> newest_named(const std::string& owner, const std::string& name) const;
  // The owner's newest array of that name with unfinished members.
  std::optional<GroupId> newest_array(const std::string& owner, const std::string& name) const;

  std::vector<QueueView> queues(const std::vector<engine::QueueUsage>& usage) const;
  std::vector<NodeView> nodes() const;
  std::vector<AdvanceReservation> reservations() const;  // by name
  // In order of their events.
  std::vector<HistorySegment> history_segments() const {
    const std::shared_lock lock(mutex_);
    std::vector<HistorySegment> rows;
    for (const auto& [name, row] : history_segments_) rows.push_back(row);
    return rows;
  }
  std::vector<Erasure> erasures() const {
    const std::shared_lock lock(mutex_);
    std::vector<Erasure> rows;
    for (const auto& [name, row] : erasures_) rows.push_back(row);
    return rows;
  }
  PolicyView policy() const;
  UserLimits user_limits() const {
    const std::shared_lock lock(mutex_);
    return user_limits_;
  }
  // Sets the settings of the configuration file.
  void set_file_policy(const PolicySettings& settings);
  // The wait promise of its queue for jobs of its priority. Nothing: there is none.
  std::optional<Duration> promised_wait_of(const Job& job) const;
  std::uint64_t last_seq() const;
  // `now`: for the work at risk.
  Counters counters(Instant now) const;
  std::size_t live_jobs() const;

 private:
  struct Follow;

  void policy_changed() { user_limits_ = user_limits_of(over(policy_.set, policy_.file)); }
  void refresh(JobId id, const Tables& tables);
  void drop(JobId id);
  void count(const JobView& view, std::int64_t change);
  void add_usage(std::map<std::string, QueueView>& views) const;
  std::optional<Duration> promised(const Job& job) const;
  void count_deadline(const JobFinished& finished, Instant now);
  void count_preemption(const AttemptStopping& stopping);
  LossCause cause_of_loss(AttemptKey key, EndedBy by) const;
  void count_admission(JobId id, Instant now);

  mutable std::shared_mutex mutex_;
  using Jobs = std::map<JobId, JobView>;
  // By name, then by id. A job keeps its name, so its entry keeps its place.
  struct ByName {
    using is_transparent = void;
    bool operator()(const Jobs::value_type* a, const Jobs::value_type* b) const;
    bool operator()(const Jobs::value_type* a, std::string_view name) const { return a->second.job->name < name; }
    bool operator()(std::string_view name, const Jobs::value_type* b) const { return name < b->second.job->name; }
  };

  Jobs jobs_;
  std::set<const Jobs::value_type*, ByName> by_name_;
  RowTable<AttemptKey, Attempt> live_attempts_;
  std::map<AttemptKey, PreemptionCause> preemptions_;  // of preempted attempts, while their jobs live
  std::map<std::string, Queue> queues_;
  std::map<std::string, Node> nodes_;
  std::map<std::string, AdvanceReservation> reservations_;
  std::map<std::string, HistorySegment> history_segments_;
  std::map<std::string, Erasure> erasures_;
  PolicyView policy_;
  UserLimits user_limits_ = user_limits_of({});  // of policy_
  UsageRows usage_;                              // as of the last sample
  std::uint64_t last_seq_ = 0;
  ContactWatch contacts_;
  Counters counters_;
};

}  // namespace ym
