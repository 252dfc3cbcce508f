#include "reference/scheduler.h"

#include <algorithm>

#include "reference/age_inheritance.h"
#include "reference/ages.h"
#include "reference/budgets.h"
#include "reference/causes.h"
#include "reference/dequeue_order.h"
#include "reference/flavors.h"
#include "reference/keepers.h"
#include "reference/limits.h"
#include "reference/machines.h"
#include "reference/parts.h"
#include "reference/places.h"
#include "reference/possible.h"
#include "reference/sized.h"

namespace ym::reference {
namespace {

class Scheduler {
 public:
  Scheduler(const Tables& tables, const Settings& settings, Instant now)
      : t_(tables),
        machines_(tables, settings.scoring),
        keepers_(tables, machines_, quota_use_, reservations_),
        reservations_(tables, machines_, now),
        settings_(settings),
        decayed_usage_(tables, settings.usage_kept),
        now_(now),
        ages_(tables, settings.age_cap),
        limits_(tables),
        budgets_(tables, now) {
    for (const auto& [key, attempt] : t_.attempts)
      if (attempt.state != AttemptState::ended)
        use(t_.jobs.at(key.job), attempt.queue, attempt.flavor, attempt.placement, &attempt);
  }

  Outcome run() {
    // For elastic jobs the smallest size counts in all questions but one: where it starts.
    std::vector<Job> jobs;
    for (const Job* job : waiting_in_order(t_)) jobs.push_back(sized(*job, job->spec->smallest()));
    for (const Job& job : jobs)
      if (const auto late = considered(job) ? ages_.late_from(job, now_) : std::nullopt) wake(*late);
    // Repeats until no job starts any more: then the order follows the current shares.
    std::vector<Job> ordered;
    const auto wake_before = out_.wake;
    for (std::size_t started = ~std::size_t{0}; started != started_.size();) {
      started = started_.size();
      // What a job waited for in an earlier round may not matter any more.
      out_.wake = wake_before;
      forget();
      ordered = in_dequeue_order(jobs);
    }
    std::ranges::copy_if(jobs, std::back_inserter(ordered), [&](const Job& job) { return !considered(job); });
    std::ranges::for_each(jobs, [&](const Job& job) { wake_by_time(job); });
    out_.reservations = reservations_.all();
    for (const auto* row : AdvanceReservations(t_, now_).all()) wake(row->until);
    if (!out_.reservations.empty() && reservations_.overdue()) wake(*reservations_.overdue());
    // Reasons are those of the next cycle if nothing happens: aged jobs block anew, after all admissions.
    forget();
    for (const Job& job : ordered) {
      if (started_.contains(job.id)) continue;
      out_.waits.push_back({.job = job.id, .causes = causes(job)});
      if (considered(job) && !is_barred(job)) refuse(job);
    }
    return out_;
  }

 private:
  void forget() {
    keepers_.clear();
    reservations_.clear();
    heads_.clear();
  }

  std::vector<Job> in_dequeue_order(const std::vector<Job>& jobs) {
    std::vector<Job> ordered;
    auto waiting = wishes(jobs);
    shortest_age_cap_ = ages_.shortest(waiting);
    some_give_age_ = std::ranges::any_of(
        waiting, [&](const Wish& wish) { return wish.gives_age && ages_.has_own_order(*wish.job); });
    while (!waiting.empty()) {
      const Used used{.now = quota_use_, .decayed = decayed_usage_, .fair_share = settings_.fair_share};
      const Job* next = next_in_dequeue_order(t_, used, waiting, shortest_age_cap_, now_);
      decide(*next);
      ordered.push_back(*next);
      std::erase_if(waiting, [&](const Wish& wish) { return wish.job == next; });
    }
    return ordered;
  }

  // Considered jobs that have not started, in order.
  std::vector<Wish> wishes(const std::vector<Job>& jobs) const {
    std::vector<Wish> waiting;
    for (const Job& job : jobs) {
      if (!considered(job) || started_.contains(job.id)) continue;
      Wish wish = wish_of(job, flavors(job), quota());
      if (now_ > ages_.aged_at(job, now_)) wish.old = std::exchange(wish.more, {});
      wish.neglected = now_ >= ages_.neglected_at(job, now_);
      waiting.push_back(wish);
    }
    mark_jobs_that_give_age({.quota = quota(),
                             .is_barred = [this](const Job& job) { return is_barred(job); },
                             .serving_flavors = [this](const Job& job) { return serving_flavors(job); }},
                            waiting);
    return waiting;
  }

  NaiveQuota quota() const { return {t_.queues, quota_use_}; }

  bool considered(const Job& job) const {
    return job.state == JobState::queued && quota().can_hold_jobs(job.queue) && !is_stopped(t_, job.queue) &&
           (!job.not_before || *job.not_before <= now_);
  }

  void wake(Instant at) {
    if (!out_.wake || at < *out_.wake) out_.wake = at;
  }

  // When its backoff ends, or when no job overtakes it any more by an inherited age.
  void wake_by_time(const Job& job) {
    const bool is_passed =
        some_give_age_ && considered(job) && !started_.contains(job.id) && !serving_flavors(job).empty();
    if (const Instant until = job.submitted_at + shortest_age_cap_ + Duration{1}; is_passed && until > now_)
      wake(until);
    if (job.state == JobState::queued && job.not_before > now_ && quota().can_hold_jobs(job.queue) &&
        !is_stopped(t_, job.queue))
      wake(*job.not_before);
  }

  bool is_barred(const Job& job) const {
    return heads_.contains(job.queue) || limits_.forbid(job) || budgets_.over(job, possible_flavors(job)).everywhere;
  }

  void decide(const Job& job) {
    if (const auto over = budgets_.over(job, possible_flavors(job)); over.whole && job.spec->time_limit)
      wake(*over.whole);
    if (is_barred(job)) return;
    if (t_.queues.at(job.queue).when_can_borrow == FlavorSearch::try_next)
      for (const auto& flavor : possible_flavors(job))
        if (!quota().borrows_any(job, flavor) && starts(job, flavor)) return;
    for (const auto& flavor : possible_flavors(job))
      if (starts(job, flavor)) return;
    refuse(job);
  }

  bool starts(const Job& job, const std::string& flavor) {
    const auto start = largest_place(job, flavor);
    if (!start) return false;
    out_.starts.push_back(*start);
    started_.insert(job.id);
    use(job, job.queue, flavor, start->placement, nullptr);
    for (const auto& [own, part] : parts_of(job, flavor, std::ssize(start->placement)))
      decayed_usage_.admit(job, own, part.spec->total());
    return true;
  }

  void refuse(const Job& job) {
    std::vector<std::string> flavors = serving_flavors(job);
    if (flavors.empty()) return;
    if (t_.queues.at(job.queue).strict) heads_.try_emplace(job.queue, job.id);
    std::erase_if(flavors, [&](const std::string& flavor) { return budgets_.exceeds(job, flavor).has_value(); });
    const Instant cap = ages_.aged_at(job, now_), neglected = ages_.neglected_at(job, now_);
    if (now_ < neglected) {
      wake(now_ <= cap ? cap + Duration{1} : neglected);
      reservations_.reserve(job, flavors, keepers_, quota());
      std::erase_if(flavors, [&](const std::string& flavor) { return reservations_.is_before(job, flavor); });
    }
    if (now_ > cap) keepers_.keep(job, flavors);
  }

  std::vector<std::string> flavors(const Job& job) const { return tried_choices(t_, quota(), job); }

  std::vector<std::string> possible_flavors(const Job& job) const {
    return reference::possible_flavors(quota(), machines_, job, flavors(job));
  }
  std::vector<std::string> serving_flavors(const Job& job) const {
    return reference::serving_flavors(quota(), machines_, job, flavors(job));
  }

  std::optional<Start> largest_place(const Job& job, const std::string& flavor) const {
    for (std::int32_t nodes = t_.jobs.at(job.id).spec->nodes; nodes >= job.spec->nodes; --nodes) {
      if (const auto& slice = job.spec->placement->slice; slice && nodes % slice->nodes != 0) continue;
      const Job larger = sized(job, nodes);
      if (limits_.forbid(larger) || budgets_.exceeds(larger, flavor)) continue;
      if (!reservations_.has_quota(larger, flavor, keepers_, quota(), Reservations::Stay::as_limited)) continue;
      if (auto start = best_place(t_, machines_, keepers_, reservations_, larger, flavor)) return start;
    }
    return std::nullopt;
  }

  // `attempt`: null if it starts now.
  void use(const Job& job, const std::string& queue, const std::string& flavor,
           const std::vector<TaskPlacement>& placement, const Attempt* attempt) {
    machines_.take(*job.spec, placement);
    reservations_.occupy(job, flavor, placement, attempt);
    limits_.run(job, queue, placement.size());
    budgets_.run(job, queue, flavor, placement.size(), attempt);
    charge(quota_use_, job, queue, flavor, placement.size());
  }

  // --- why a job waits
  std::vector<Cause> causes(const Job& job) const {
    if (job.state == JobState::held) return {{.code = ReasonCode::held}};
    if (!quota().can_hold_jobs(job.queue)) return {{.code = ReasonCode::misconfigured}};
    if (is_stopped(t_, job.queue)) return {{.code = ReasonCode::held}};
    if (!considered(job)) return {{.code = ReasonCode::backoff}};
    const auto head = heads_.find(job.queue);
    const Seen seen{.tables = t_,
                    .machines = machines_,
                    .keepers = keepers_,
                    .reservations = reservations_,
                    .limits = limits_,
                    .budgets = budgets_,
                    .quota = quota(),
                    .head = head == heads_.end() ? JobId{} : head->second};
    return causes_of(seen, job, flavors(job), possible_flavors(job));
  }

  const Tables& t_;
  Machines machines_;
  Use quota_use_;
  Keepers keepers_;
  Reservations reservations_;
  Settings settings_;
  NaiveDecayedUsage decayed_usage_;
  Instant now_;
  Ages ages_;
  Limits limits_;
  Budgets budgets_;
  std::map<std::string, JobId> heads_;  // by strict queue: the first of its jobs that waits
  std::set<JobId> started_;
  Duration shortest_age_cap_;   // of the queues in which somebody waits
  bool some_give_age_ = false;  // in the last round
  Outcome out_;
};

}  // namespace

Outcome schedule(const Tables& tables, const Settings& settings, Instant now) {
  return Scheduler(tables, settings, now).run();
}

}  // namespace ym::reference
