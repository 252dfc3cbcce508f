// Reads: live jobs come from the read model, ended jobs and events from the store.
#include <algorithm>

#include "control/access/denial_book.h"
#include "control/access/visible_jobs.h"
#include "control/serve/event_viewer.h"
#include "control/serve/reader_lease.h"
#include "control/state/messages.h"

namespace ym {
namespace {

// Events that one page looks at, and those of one query, for a caller that may see few of them.
constexpr std::size_t kMostLookedAt = 1'024, kLookedAtOnce = 64;

JobView outline_of(const JobView& view) {
  JobView outline{.job = ym::outline_of(*view.job), .attempts = {}, .is_outline = true};
  for (const auto& attempt : view.attempts) outline.attempts.emplace_back(ym::outline_of(*attempt));
  return outline;
}

}  // namespace

Result<Reads::ReaderLease> Reads::lease_reader() const {
  {
    const std::lock_guard lock(readers_mutex_);
    if (!idle_readers_.empty()) {
      auto reader = std::move(idle_readers_.back());
      idle_readers_.pop_back();
      return ReaderLease(*this, std::move(reader));
    }
  }
  auto reader = sources_.reader();
  if (!reader) return std::unexpected(reader.error());
  return ReaderLease(*this, std::move(*reader));
}

// Errors: `not_found` if the caller does not see the job.
Result<JobView> Reads::as_seen_by(const Caller& caller, JobView view) const {
  const Job& job = view.job;
  if (caller.kind == CallerKind::job && caller.attempt->job == job.id) return view;
  const auto access = access_of(caller);
  if (const auto bound = by_bindings_alone(access);
      bound && sight_of(*bound, target_of(job), job.owner) == Visibility::hidden)
    access.trial->denials.note(access.principal, Permission::jobs_list, target_of(job), access.now);
  switch (sight_of(access, target_of(job), job.owner)) {
    case Visibility::hidden: return std::unexpected(no_such_job(job.id));
    case Visibility::outline: return outline_of(view);
    case Visibility::whole: return view;
  }
  return view;
}

// Nothing: there is no such job.
Result<std::optional<JobPlace>> Reads::place_of(JobId id) const {
  if (const auto live = model_.job(id)) return JobPlace(live->job);
  if (auto known = ended_places_.find(id)) return known;
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  const auto stored = (*reader)->job(id);
  if (!stored) return std::unexpected(stored.error());
  if (!*stored) return std::nullopt;
  JobPlace place(**stored);
  if (is_terminal((*stored)->state)) ended_places_.keep(id, place);
  return place;
}

Result<Visibility> Reads::sight_of_job(const Access& access, JobId id) const {
  const auto place = place_of(id);
  if (!place) return std::unexpected(place.error());
  return *place ? ym::sight_of(access, (*place)->target(), (*place)->owner) : Visibility::hidden;
}

// Whether the caller sees that the job is there.
Result<bool> Reads::shows(const Caller& caller, JobId id) const {
  if (caller.kind == CallerKind::job) return caller.attempt->job == id;
  const auto sight = sight_of_job(access_of(caller), id);
  if (!sight) return std::unexpected(sight.error());
  return *sight != Visibility::hidden;
}

Result<JobView> Reads::job(const Caller& caller, JobId id) const {
  const auto live = model_.job(id);
  if (!live) return stored_job(caller, id);
  JobView view = *live;
  if (view.attempts.empty() || view.attempts.front()->number == 1) return as_seen_by(caller, std::move(view));
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto attempts = (*reader)->attempts(id);
  if (!attempts) return std::unexpected(attempts.error());
  std::erase_if(*attempts, [first = view.attempts.front()->number](const Attempt& a) { return a.number >= first; });
  view.attempts.insert(view.attempts.begin(), std::make_move_iterator(attempts->begin()),
                       std::make_move_iterator(attempts->end()));
  return as_seen_by(caller, std::move(view));
}

Result<JobView> Reads::stored_job(const Caller& caller, JobId id) const {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto found = (*reader)->job(id);
  if (!found) return std::unexpected(found.error());
  if (!*found) return std::unexpected(no_such_job(id));
  auto attempts = (*reader)->attempts(id);
  if (!attempts) return std::unexpected(attempts.error());
  JobView view{std::move(**found), {}};
  for (auto& attempt : *attempts) view.attempts.emplace_back(std::move(attempt));
  return as_seen_by(caller, std::move(view));
}

// The job after which the history goes on, if the page is shorter than its limit.
Result<std::optional<JobId>> Reads::cut_of(StoreReader& reader, JobFilter filter, const std::vector<Job>& page,
                                           std::size_t limit) {
  if (page.empty() || page.size() >= limit) return std::nullopt;
  filter.before = page.back().id;
  const auto behind = reader.jobs(filter, 1);
  if (!behind) return std::unexpected(behind.error());
  return behind->empty() ? std::nullopt : filter.before;
}

Result<Reads::HistoryPage> Reads::history_page(const JobFilter& filter, std::size_t limit) const {
  JobFilter ended = filter;
  if (ended.states.empty()) {
    ended.states = {JobState::succeeded, JobState::failed, JobState::cancelled, JobState::timed_out};
  } else {
    std::erase_if(ended.states, [](JobState state) { return !is_terminal(state); });
    if (ended.states.empty()) return HistoryPage{};
  }
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto jobs = reader->get().jobs(ended, limit);
  if (!jobs) return std::unexpected(jobs.error());
  const auto cut_at = cut_of(reader->get(), ended, *jobs, limit);
  if (!cut_at) return std::unexpected(cut_at.error());
  std::vector<JobId> ids;
  for (const auto& job : *jobs) ids.push_back(job.id);
  auto attempts = reader->get().attempts(ids);
  if (!attempts) return std::unexpected(attempts.error());
  std::map<JobId, std::vector<Shared<Attempt>>> by_job;
  for (auto& attempt : *attempts) by_job[attempt.job].emplace_back(std::move(attempt));
  HistoryPage page{.cut_at = *cut_at};
  for (auto& job : *jobs) {
    const auto id = job.id;
    page.views.push_back({std::move(job), std::move(by_job[id])});
  }
  return page;
}

Result<JobPage> Reads::jobs(const Caller& caller, const JobFilter& wanted, std::size_t limit) const {
  const auto access = access_of(caller);
  JobFilter filter = wanted;
  filter.within = visible_jobs(access);
  // Live rows first: a job that ends in between is then seen twice, and never missed.
  const auto live = model_.jobs(filter, limit + 1);
  auto ended = history_page(filter, limit + 1);
  if (!ended) return std::unexpected(ended.error());
  std::map<JobId, JobView> merged;
  for (const auto& view : live.jobs) merged.insert_or_assign(view.job->id, view);
  for (auto& view : ended->views) merged.insert_or_assign(view.job->id, std::move(view));
  JobPage page{.as_of = live.as_of};
  for (auto it = merged.rbegin(); it != merged.rend(); ++it) {
    // After the end of the history page, ended rows between live ones would be missing.
    const bool cut = ended->cut_at && it->first < *ended->cut_at;
    if (page.items.size() == limit || cut) {
      page.next = page.items.back().job->id;
      break;
    }
    const Job& job = it->second.job;
    const auto sight = sight_of(access, target_of(job), job.owner);
    if (sight == Visibility::hidden) continue;
    page.items.push_back(sight == Visibility::whole ? std::move(it->second) : outline_of(it->second));
  }
  if (!page.next && ended->cut_at && !page.items.empty()) page.next = page.items.back().job->id;
  return page;
}

Result<std::vector<Event>> Reads::stored_events(const EventFilter& filter, std::size_t limit) const {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  return (*reader)->events(filter, limit);
}

Result<VerifiedPart> Reads::verify(const VerifiedTo& begin) const {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  // Older events are in segments of the history. The last one has the chain from which the rest goes on. One that is
  // stored while this reads takes events away.
  for (;;) {
    const auto kept = first_kept();
    auto part = verify_from(*reader->operator->(), begin);
    if (!part || !part->fault || first_kept() == kept) return part;
  }
}

Result<VerifiedPart> Reads::verify_from(StoreReader& reader, const VerifiedTo& begin) const {
  const auto segments = model_.history_segments();
  const auto erased = erased_seals(reader);
  if (!erased) return std::unexpected(erased.error());
  if (segments.empty() || begin.head.to >= segments.back().to)
    return verify_part(reader, begin, model_.last_seq(), *erased);
  const auto& last = segments.back();
  const VerifiedTo after{.head = {.to = last.to, .chain = last.chain}, .seal = last.seal};
  auto part = verify_part(reader, after, model_.last_seq(), *erased);
  if (!part) return part;
  part->from = last.to + 1;
  // A kept head may be this one.
  part->heads.insert(part->heads.begin(), after.head);
  return part;
}

// Each part of a verification asks for them. An erasure is made while no server runs, and an event is taken away only
// with its segment.
Result<ErasedSeals> Reads::erased_seals(StoreReader& reader) const {
  auto erasures = model_.erasures();
  const auto kept = first_kept();
  {
    const std::lock_guard lock(erased_mutex_);
    if (erased_of_.kept == kept && erased_of_.erasures == erasures) return erased_of_.seals;
  }
  auto seals = confirmed_seals(reader, erasures);
  if (!seals) return seals;
  const std::lock_guard lock(erased_mutex_);
  erased_of_ = {.kept = kept, .erasures = std::move(erasures), .seals = *seals};
  return seals;
}

std::uint64_t Reads::first_kept() const {
  const auto segments = model_.history_segments();
  return segments.empty() ? 1 : segments.back().to + 1;
}

Result<EventPage> Reads::events(const Caller& caller, const EventFilter& filter, std::size_t limit) const {
  // Read before the page: all events up to here are in the store.
  EventPage page{.last = filter.after, .as_of = model_.last_seq()};
  EventViewer viewer(*this, caller);
  EventFilter rest = filter;
  std::size_t looked_at = 0;
  do {
    const std::size_t part = viewer.sees_all() ? limit : std::max(limit, kLookedAtOnce);
    auto events = stored_events(rest, part);
    if (!events) return std::unexpected(events.error());
    page.more = !events->empty();
    for (Event& event : *events) {
      if (page.items.size() == limit) return page;
      if (looked_at == 0) page.first = event.seq;
      rest.after = page.last = event.seq;
      looked_at += 1;
      const auto sight = viewer.sight_of(event);
      if (!sight) return std::unexpected(sight.error());
      if (*sight == Visibility::hidden) continue;
      page.items.push_back({.event = std::move(event), .outline = *sight == Visibility::outline});
    }
  } while (page.more && page.items.empty() && looked_at < kMostLookedAt);
  if (!page.more) return page;
  const auto behind = stored_events(rest, 1);
  if (!behind) return std::unexpected(behind.error());
  page.more = !behind->empty();
  return page;
}

}  // namespace ym
