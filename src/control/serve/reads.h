// Reads: all reads of a server's state. Leading servers and standbys use this class with different Sources. A new query
// is a method here, and nothing else.
//
// Thread-safe. Reads never wait for a commit: live state comes from an in-memory read model, history from the store's
// readers.
//
// A read of users' objects takes the caller as the first argument. What it may not see is left out here: no user of
// this class has to ask for rights.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/time.h"
#include "control/access/access_book.h"
#include "control/audit/verification.h"
#include "control/caller.h"
#include "control/counters.h"
#include "control/serve/access_reads.h"
#include "control/serve/ended_places.h"
#include "control/serve/event_listeners.h"
#include "control/serve/read_model.h"
#include "control/views.h"
#include "store/store.h"

namespace ym {

class Reads {
 public:
  using OpenReader = std::function<Result<std::unique_ptr<StoreReader>>()>;

  // Used quotas and budgets, as of the last cycle.
  struct Usage {
    std::vector<engine::QueueUsage> queues;
    std::map<std::string, std::vector<std::int64_t>> budgets;  // by queue, in the order of its budgets
  };
  // What each cluster's executor can enforce (NodeView::enforcement).
  using Enforcement = std::map<std::string, std::map<std::string, std::string>>;

  // Other data of a server. Any thread may call these functions.
  struct Sources {
    // Makes a reader. Reads keeps readers for later use, each by one thread at a time.
    OpenReader reader;
    std::function<Usage()> usage;
    std::function<Result<AttemptKey>(const Secret&)> check_job_token;  // errors: as authenticate
    std::function<std::optional<std::string>()> not_ready;             // see Reads::not_ready
    std::function<Enforcement()> enforcement{};                        // not set: not known here
    std::function<void(Counters&)> add_counts{};                       // adds counts that the read model does not have
  };

  // All arguments, and what the sources use, must outlive this.
  Reads(const ReadModel& model, const AccessBook& access, EventListeners& listeners, const Clock& clock,
        Sources sources);

  // What the caller may do now.
  Access access_of(const Caller& caller) const { return access_.access_of(caller, clock_.now()); }
  // Whether its token is still valid. Streams and polls ask it again and again.
  bool is_valid(const Caller& caller) const { return access_.is_valid(caller, clock_.now()); }

  // The caller of a principal's token, or of a job token. Errors: `unauthenticated`; `unavailable`: the tokens are not
  // known yet.
  Result<Caller> authenticate(const Secret& token) const;
  // The service account that a certificate names. Errors: as authenticate.
  Result<Caller> authenticate_service(std::string_view handle) const;

  // Finds a job by an id, or by the name of the caller's newest unfinished job, else of the newest that has ended.
  // Errors: `not_found`, `invalid`, `ambiguous` (the id or name of an array: the message says what to write instead).
  Result<JobId> resolve(const Caller& caller, std::string_view id_or_name) const;
  // Finds an array by a group's id, or by the name of the caller's array that was submitted last; arrays with
  // unfinished members come first. Errors: `not_found`.
  Result<GroupId> resolve_group(const Caller& caller, std::string_view id_or_name) const;

  // A caller that sees only the outline of a job gets that (control/access/visible_jobs.h). Errors: `not_found`, also
  // if it does not see the job.
  Result<JobView> job(const Caller& caller, JobId id) const;
  // The job's row in the store, ended or not. Errors: `not_found`.
  Result<JobView> stored_job(const Caller& caller, JobId id) const;
  Result<JobPage> jobs(const Caller& caller, const JobFilter& filter, std::size_t limit) const;
  // A page looks at a bounded number of events. So it may be empty although there are more.
  Result<EventPage> events(const Caller& caller, const EventFilter& filter, std::size_t limit) const;
  std::vector<QueueView> queues(const Caller& caller) const;                 // by name
  std::vector<NodeView> nodes(const Caller& caller) const;                   // by name
  std::vector<AdvanceReservation> reservations(const Caller& caller) const;  // by name
  PolicyView policy(const Caller& caller) const;
  Counters counters(const Caller& caller) const;

  // The rows that concern access, and questions about it.
  const AccessReads& access() const { return access_reads_; }

  // The next calls are about the server itself and take no caller.

  // How much a caller with these rights sees of a job, live or ended. Hidden if there is no such job.
  Result<Visibility> sight_of_job(const Access& access, JobId id) const;
  // Events as they are stored. Fewer than requested if they are large; only an empty page is the end.
  Result<std::vector<Event>> stored_events(const EventFilter& filter, std::size_t limit) const;
  // For code of the server: code that passes events on to a user must check the user's rights. The listener is called
  // until the handle is destroyed.
  std::shared_ptr<void> listen(EventListener listener) const { return listeners_.add(std::move(listener)); }
  // One part of the check of all seals (control/audit/verification.h).
  Result<VerifiedPart> verify(const VerifiedTo& begin) const;
  std::uint64_t last_seq() const { return model_.last_seq(); }
  Instant now() const { return clock_.now(); }
  // What each user may use at once, by the policy of now.
  UserLimits user_limits() const { return model_.user_limits(); }
  // Why requests cannot be served. Nothing: they can.
  std::optional<std::string> not_ready() const { return sources_.not_ready(); }

 private:
  // The first event of the log in the database, but for event 1: earlier ones are in segments of the history.
  std::uint64_t first_kept() const;
  // The last ones that were confirmed, as long as the same erasures and events are there.
  struct ErasedOf {
    std::uint64_t kept = 0;
    std::vector<Erasure> erasures;
    ErasedSeals seals;
  };
  Result<ErasedSeals> erased_seals(StoreReader& reader) const;
  Result<VerifiedPart> verify_from(StoreReader& reader, const VerifiedTo& begin) const;
  Result<JobView> as_seen_by(const Caller& caller, JobView view) const;
  Result<std::optional<JobPlace>> place_of(JobId id) const;
  Result<bool> shows(const Caller& caller, JobId id) const;
  void hide_jobs(const Access& access, NodeView& view) const;
  Result<std::optional<JobId>> newest_ended(const Caller& caller, const std::string& name) const;
  struct HistoryPage {
    std::vector<JobView> views;   // newest first
    std::optional<JobId> cut_at;  // the last one, if there are more: pages with large rows are short
  };
  Result<HistoryPage> history_page(const JobFilter& filter, std::size_t limit) const;
  static Result<std::optional<JobId>> cut_of(StoreReader& reader, JobFilter filter, const std::vector<Job>& page,
                                             std::size_t limit);

  class ReaderLease;
  Result<ReaderLease> lease_reader() const;

  const ReadModel& model_;
  const AccessBook& access_;
  const AccessReads access_reads_;
  EventListeners& listeners_;
  const Clock& clock_;
  const Sources sources_;
  mutable EndedPlaces ended_places_;
  mutable std::mutex readers_mutex_;
  mutable std::vector<std::unique_ptr<StoreReader>> idle_readers_;
  mutable std::mutex erased_mutex_;
  mutable ErasedOf erased_of_;
};

std::unexpected<Error> no_such_attempt(AttemptKey key);

// Whether the attempt is to stop, from the read of its job. Errors: that of the read; `not_found`.
Result<std::optional<Notice>> notice_of(const Result<JobView>& job, AttemptKey attempt);

}  // namespace ym
