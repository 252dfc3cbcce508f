#include "archive/erasure/erase_person.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <iterator>
#include <memory>
#include <utility>

#include "archive/erasure/erased_log.h"
#include "archive/erasure/erased_rows.h"
#include "archive/erasure/erased_segment.h"
#include "archive/erasure/sealed_state.h"
#include "control/access/principals.h"
#include "model/access/roles.h"
#include "model/json/codec.h"

namespace ym {
namespace {

constexpr std::size_t kEventsAtOnce = 1000, kJobsNamed = 5;

bool is_site_admin(const Tables& tables, const Principal& principal, Instant now) {
  return !is_disabled(principal) && std::ranges::any_of(tables.bindings, [&](const auto& entry) {
    const Binding& binding = entry.second;
    return binding.role == kAdminRole && binding.scope == Scope{} &&
           (!binding.expires_at || *binding.expires_at > now) &&
           binding.grantee == Grantee{Grantee::Kind::principal, principal.name};
  });
}

Result<void> check_may_go(const Tables& tables, const Principal& principal, const ErasureOrder& order) {
  if (principal.handle == order.own_user)
    return fail(ErrorCode::conflict, fmt::format("{} is the server's own user, which always is one", order.own_user));
  const auto other = [&](const auto& entry) {
    return entry.first != principal.name && is_site_admin(tables, entry.second, order.now);
  };
  if (is_site_admin(tables, principal, order.now) && std::ranges::none_of(tables.principals, other))
    return fail(ErrorCode::conflict,
                fmt::format("{} is the last administrator: give another user the role admin first", order.name));
  std::string jobs;
  std::size_t count = 0;
  for (const auto& [id, job] : tables.jobs)
    if (job.owner == principal.name && ++count <= kJobsNamed) jobs += (jobs.empty() ? "" : ", ") + to_string(id);
  if (count == 0) return {};
  return fail(ErrorCode::conflict, fmt::format("{} has {} unfinished jobs ({}{}): start the server, and cancel them or "
                                               "wait until they have ended",
                                               order.name, count, jobs, count > kJobsNamed ? ", ..." : ""));
}

Person person_of(const Principal& principal, const ErasureOrder& order) {
  std::vector<std::string> texts{principal.display, principal.email};
  if (principal.login_name) texts.push_back(*principal.login_name);
  if (principal.provisioned) texts.push_back(principal.provisioned->user_name);
  if (principal.provisioned) texts.push_back(principal.provisioned->external_id);
  return {.names = {principal.name, principal.handle},
          .texts = std::move(texts),
          .subject = principal.subject,
          .pseudonym = order.pseudonym,
          .keep_jobs = order.keep_jobs};
}

Result<Event> event_of_columns(const StoredColumns& columns) {
  const auto parse = [](const std::string& text) {
    return boost::json::parse(text, boost::json::storage_ptr(), {.allow_invalid_utf8 = true});
  };
  std::shared_ptr<const JobSpec> spec;
  if (!columns.spec.empty()) {
    auto decoded = json::decode_spec(parse(columns.spec));
    if (!decoded) return std::unexpected(decoded.error());
    spec = std::make_shared<const JobSpec>(std::move(*decoded));
  }
  auto payload = json::decode_event(columns.type, parse(columns.payload), std::move(spec));
  if (!payload) return std::unexpected(payload.error());
  return Event{.seq = static_cast<std::uint64_t>(columns.seq),
               .time = Instant{columns.time},
               .actor = columns.actor,
               .reason = columns.reason,
               .payload = std::move(*payload)};
}

// The database may still have events that a stored segment has, too. They are the same in both.
Result<void> erase_in_events(StoreReader& reader, ErasedLog& log, Rewrite& rewrite) {
  for (std::uint64_t after = 0;;) {
    const auto page = reader.stored_events(after, kEventsAtOnce);
    if (!page) return std::unexpected(page.error());
    if (page->empty()) return {};
    for (const StoredEvent& stored : *page) {
      const auto columns = columns_of(stored.bytes);
      if (!columns) return std::unexpected(columns.error());
      const auto changed = log.next(*columns);
      if (!changed) return std::unexpected(changed.error());
      if (!*changed) continue;
      auto event = event_of_columns(**changed);
      if (!event) return std::unexpected(event.error());
      rewrite.events.push_back(std::move(*event));
    }
    after = page->back().seq;
  }
}

// The person's last events, and the one of the erasure.
class LastEvents {
 public:
  LastEvents(Tables& tables, const ErasureOrder& order) : tables_(tables), order_(order) {}

  void replace_segment(const HistorySegment& before, HistorySegment now) {
    add(HistorySegmentRemoved{before.name});
    add(HistorySegmentSet{std::move(now)});
  }
  // Returns the number of its tokens.
  std::int64_t end_access() {
    const auto of_person = [&](const AccessToken& token) { return token.principal == order_.pseudonym; };
    const auto to_person = [&](const Binding& binding) {
      return binding.grantee == Grantee{Grantee::Kind::principal, order_.pseudonym};
    };
    const auto tokens = names_of<AccessToken>(of_person);
    for (const auto& name : tokens) add(TokenRemoved{name});
    for (const auto& name : names_of<Binding>(to_person)) add(BindingRemoved{name});
    Principal tombstone = tables_.principals.at(order_.pseudonym);
    if (!tombstone.disabled_at) tombstone.disabled_at = time();
    add(PrincipalSet{std::move(tombstone)});
    return std::ssize(tokens);
  }
  Erasure add_erasure(Erasure row) {
    row.name = order_.pseudonym;
    row.event = tables_.last_seq + 1;
    row.at = time();
    row.by = order_.own_user;
    row.reason = order_.reason;
    add(ErasureSet{row});
    return row;
  }
  Commit commit() { return make_commit(tables_, touched_, std::move(events_)); }

 private:
  template <class Row>
  std::vector<std::string> names_of(const auto& which) const {
    std::vector<std::string> names;
    for (const auto& [name, row] : rows_of<Row>(tables_))
      if (which(row)) names.push_back(name);
    return names;
  }
  Instant time() const { return std::max(order_.now, tables_.last_time); }
  void add(EventPayload payload) {
    events_.push_back({.seq = tables_.last_seq + 1,
                       .time = time(),
                       .actor = "server",
                       .reason = "erased",
                       .payload = std::move(payload)});
    apply(tables_, events_.back(), &touched_);
  }

  Tables& tables_;
  const ErasureOrder& order_;
  Touched touched_;
  std::vector<Event> events_;
};

// The rows of `later` count. No row is in a commit twice.
template <class Row>
void merge(RowChanges<Row>& changes, RowChanges<Row> later) {
  const auto is_later = [&](const std::string& name) {
    return std::ranges::find(later.set, name, &Row::name) != later.set.end() ||
           std::ranges::find(later.removed, name) != later.removed.end();
  };
  std::erase_if(changes.set, [&](const Row& row) { return is_later(row.name); });
  std::erase_if(changes.removed, is_later);
  std::ranges::move(later.set, std::back_inserter(changes.set));
  std::ranges::move(later.removed, std::back_inserter(changes.removed));
}

Commit merged(Commit rows, Commit last) {
  rows.events = std::move(last.events);
  std::apply([&](auto&... changes) { (merge(changes, std::get<std::decay_t<decltype(changes)>>(last.named)), ...); },
             rows.named);
  return rows;
}

class ErasureRun {
 public:
  ErasureRun(Store& store, const ErasureOrder& order, Tables tables, const Principal& principal)
      : store_(store),
        order_(order),
        tables_(std::move(tables)),
        log_(Redaction(person_of(principal, order))),
        rewrite_{.events = {}, .specs = {}, .principal = principal.name} {}

  Result<ErasedPerson> run() {
    Result<void> done = read_all();
    if (!done) return std::unexpected(done.error());
    ErasedPerson erased;
    for (const auto& [id, name] : log_.redaction().jobs()) erased.jobs.push_back(id);
    if (order_.delete_logs) done = order_.delete_logs(erased.jobs);
    if (done) done = write_segments();
    if (!done) return std::unexpected(done.error());
    LastEvents last(tables_, order_);
    for (auto& [before, now] : segments_) last.replace_segment(before, now);
    Erasure row{.events = log_.changed_events(), .jobs = std::ssize(erased.jobs), .segments = std::ssize(segments_)};
    row.tokens = last.end_access();
    row.seals = log_.seals();
    erased.row = last.add_erasure(std::move(row));
    done = store_.rewrite(rewrite_, merged(std::move(rows_), last.commit()));
    return done ? Result<ErasedPerson>(std::move(erased)) : std::unexpected(done.error());
  }

 private:
  // Jobs and bindings that began before all that is kept are known only where they are named later. What comes before
  // is then read again.
  Result<void> read_all() {
    auto reader = store_.reader();
    if (!reader) return std::unexpected(reader.error());
    auto done = check_sealed_state(**reader, tables_, order_.segments);
    if (done) done = learn_bindings(tables_, log_.redaction());
    for (std::size_t known = 0; done;) {
      done = read_once(**reader);
      if (std::exchange(known, log_.redaction().known()) == log_.redaction().known()) break;
    }
    if (done) done = erase_in_tables(tables_, log_.redaction(), rows_);
    return done;
  }
  // Jobs first: their rows say which are the person's.
  Result<void> read_once(StoreReader& reader) {
    rewrite_.events.clear();
    rewrite_.specs.clear();
    rows_ = {};
    looked_.clear();
    auto done = erase_in_jobs(reader, log_.redaction(), rewrite_, rows_);
    for (const auto& [name, row] : tables_.history_segments) {
      if (!done) return done;
      auto looked = look_in_segment(order_.segments / row.name, log_);
      if (!looked) return std::unexpected(looked.error());
      if (looked->changes) looked_.emplace_back(row, std::move(*looked));
    }
    return done ? erase_in_events(reader, log_, rewrite_) : done;
  }
  Result<void> write_segments() {
    for (const auto& [row, looked] : looked_) {
      auto now = erase_in_segment(order_.segments, row, looked, log_);
      if (!now) return std::unexpected(now.error());
      segments_.emplace_back(row, std::move(*now));
    }
    return {};
  }

  Store& store_;
  const ErasureOrder& order_;
  Tables tables_;
  ErasedLog log_;
  Rewrite rewrite_;
  Commit rows_;
  std::vector<std::pair<HistorySegment, LookedAtSegment>> looked_;  // that change
  std::vector<std::pair<HistorySegment, HistorySegment>> segments_;
};

// What an earlier run has not come to.
Result<LoadedState> finish(Store& store, const ErasureOrder& order) {
  auto loaded = store.load();
  if (!loaded) return loaded;
  if (auto removed = remove_replaced_files(order.segments, loaded->tables); !removed)
    return std::unexpected(removed.error());
  return loaded;
}

}  // namespace

Result<ErasedPerson> erase_person(Store& store, const ErasureOrder& order) {
  auto loaded = finish(store, order);
  if (!loaded) return std::unexpected(loaded.error());
  const Principal* found = find_handle(loaded->tables, order.name);
  if (found == nullptr) found = principal_of(loaded->tables, order.name);
  if (found == nullptr || loaded->tables.erasures.contains(found->name)) {
    if (!loaded->tables.erasures.empty())
      if (auto compacted = store.compact(); !compacted) return std::unexpected(compacted.error());
    return fail(ErrorCode::not_found,
                fmt::format("there is no user '{}'. If an earlier run erased it, nothing of it is left in this state",
                            order.name));
  }
  const Principal principal = *found;
  if (auto may = check_may_go(loaded->tables, principal, order); !may) return std::unexpected(may.error());
  auto erased = ErasureRun(store, order, std::move(loaded->tables), principal).run();
  if (!erased) return erased;
  auto done = finish(store, order);
  if (!done) return std::unexpected(done.error());
  if (auto compacted = store.compact(); !compacted) return std::unexpected(compacted.error());
  return erased;
}

}  // namespace ym
