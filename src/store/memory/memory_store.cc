#include "store/memory/memory_store.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <mutex>

#include "base/assert.h"
#include "store/stored_event.h"

namespace ym {

class MemoryDisk {
 public:
  std::mutex mutex;
  Tables tables;  // ended jobs included
  std::deque<Event> events;
  std::uint64_t pruned = 0;  // number of events after the first one that are gone
  std::map<std::pair<std::string, std::string>, IdempotencyRecord> idempotency;
  std::map<std::string, TokenRecord> tokens;

  // The place in `events` of the first one after this event.
  std::size_t index_after(std::uint64_t seq) const {
    if (seq <= 1) return std::min<std::uint64_t>(seq, events.size());
    return std::min<std::uint64_t>(std::max(seq, pruned + 1) - pruned, events.size());
  }
};

namespace {

using Lock = std::lock_guard<std::mutex>;

template <class Row>
void replace(Tables& tables, const RowChanges<Row>& changes) {
  auto& rows = rows_of<Row>(tables);
  for (const auto& row : changes.set) rows.insert_or_assign(row.name, row);
  for (const auto& name : changes.removed) rows.erase(name);
}

// Updates what the tables keep for the whole state, not row by row.
void follow(Tables& tables, const std::vector<Event>& events) {
  for (const auto& event : events) {
    YM_ASSERT(event.seq == tables.last_seq + 1);
    tables.last_seq = event.seq;
    tables.last_time = event.time;
    if (const auto* started = std::get_if<ServerStarted>(&event.payload)) {
      tables.epoch = started->epoch;
      tables.last_id += started->ids_passed_over;
    }
    if (const auto* submitted = std::get_if<JobSubmitted>(&event.payload)) {
      const Job& job = submitted->job;
      tables.last_id = std::max({tables.last_id, job.id.value, job.spec_id.value, job.group ? job.group->value : 0});
    }
  }
}

auto attempts_of(const Tables& tables, JobId id) {
  return std::pair(tables.attempts.lower_bound({id, 0}),
                   tables.attempts.upper_bound({id, std::numeric_limits<std::int32_t>::max()}));
}

class MemoryReader final : public StoreReader {
 public:
  explicit MemoryReader(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)) {}

  Result<std::optional<Job>> job(JobId id) override {
    const Lock lock(disk_->mutex);
    const auto it = disk_->tables.jobs.find(id);
    return it == disk_->tables.jobs.end() ? std::nullopt : std::optional(it->second);
  }

  Result<std::vector<Job>> jobs(std::span<const JobId> ids) override {
    const Lock lock(disk_->mutex);
    std::vector<Job> found;
    for (const auto id : std::set(ids.begin(), ids.end()))
      if (const auto it = disk_->tables.jobs.find(id); it != disk_->tables.jobs.end()) found.push_back(it->second);
    return found;
  }

  Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) override {
    const Lock lock(disk_->mutex);
    std::vector<Attempt> found;
    for (const auto id : std::set(jobs.begin(), jobs.end()))
      for (auto [it, end] = attempts_of(disk_->tables, id); it != end; ++it) found.push_back(it->second);
    return found;
  }

  Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) override {
    const Lock lock(disk_->mutex);
    const auto& jobs = disk_->tables.jobs;
    std::vector<Job> found;
    auto it = filter.before ? jobs.lower_bound(*filter.before) : jobs.end();
    while (it != jobs.begin() && found.size() < limit)
      if (matches(filter, (--it)->second)) found.push_back(it->second);
    return found;
  }

  Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) override {
    const Lock lock(disk_->mutex);
    const auto& events = disk_->events;
    std::vector<Event> found;
    const auto end = filter.until == 0 ? events.size() : disk_->index_after(filter.until);
    for (std::size_t i = disk_->index_after(filter.after); i < end; ++i) {
      if (found.size() == limit) break;
      const auto& payload = events[i].payload;
      if ((!filter.job || job_of(payload) == filter.job) && (filter.type.empty() || type_name(payload) == filter.type))
        found.push_back(events[i]);
    }
    return found;
  }

  // This store keeps no documents. What tells its events apart is enough.
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t after, std::size_t limit) override {
    const Lock lock(disk_->mutex);
    std::vector<StoredEvent> found;
    for (auto i = disk_->index_after(after); i < disk_->events.size() && found.size() < limit; ++i) {
      const Event& event = disk_->events[i];
      const auto type = type_name(event.payload);
      found.push_back({.seq = event.seq,
                       .bytes = bytes_of({.seq = static_cast<std::int64_t>(event.seq),
                                          .time = event.time.ms,
                                          .type = std::string(type),
                                          .actor = event.actor,
                                          .reason = event.reason,
                                          .payload = {}}),
                       .is_seal = type == LogSealed::kType});
    }
    return found;
  }

 private:
  std::shared_ptr<MemoryDisk> disk_;
};

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)), last_seq_(disk_->tables.last_seq) {}

  Result<LoadedState> load() override {
    const Lock lock(disk_->mutex);
    LoadedState state{.tables = disk_->tables};
    last_seq_ = disk_->tables.last_seq;
    erase_if(state.tables.jobs, [](const auto& entry) { return is_terminal(entry.second.state); });
    erase_if(state.tables.attempts, [&](const auto& entry) { return !state.tables.jobs.contains(entry.first.job); });
    for (const auto& [key, record] : disk_->idempotency) state.idempotency.push_back(record);
    for (const auto& [hash, record] : disk_->tokens) state.tokens.push_back(record);
    return state;
  }

  Result<void> commit(const Commit& commit) override {
    const Lock lock(disk_->mutex);
    return store(commit);
  }

  Result<std::unique_ptr<StoreReader>> reader() override { return std::make_unique<MemoryReader>(disk_); }

  Result<void> expire_idempotency(Instant horizon) override {
    const Lock lock(disk_->mutex);
    std::erase_if(disk_->idempotency, [&](const auto& entry) { return entry.second.at < horizon; });
    return {};
  }

  Result<void> rewrite(const Rewrite& rewrite, const Commit& commit) override {
    const Lock lock(disk_->mutex);
    if (auto stored = store(commit); !stored) return stored;
    for (const Event& event : rewrite.events) {
      const auto place = disk_->index_after(event.seq) - 1;
      YM_ASSERT(place < disk_->events.size() && disk_->events[place].seq == event.seq);
      disk_->events[place] = event;
    }
    for (const auto& [id, spec] : rewrite.specs) replace_spec(id, spec);
    std::erase_if(disk_->idempotency, [&](const auto& entry) { return entry.first.first == rewrite.principal; });
    std::erase_if(disk_->tokens, [&](const auto& entry) { return entry.second.principal == rewrite.principal; });
    return {};
  }

  Result<void> compact() override { return {}; }

  Result<Pruned> prune(std::uint64_t to, std::size_t limit) override {
    const Lock lock(disk_->mutex);
    Pruned done;
    std::set<JobId> jobs;
    auto& events = disk_->events;
    // The first event stays.
    while (events.size() > 1 && events[1].seq <= to && std::cmp_less(done.events, limit)) {
      if (const auto job = job_of(events[1].payload)) jobs.insert(*job);
      done.last = events[1].seq;
      events.erase(events.begin() + 1);
      disk_->pruned += 1;
      done.events += 1;
    }
    for (const auto& event : disk_->events)
      if (const auto job = job_of(event.payload)) jobs.erase(*job);
    for (const JobId id : jobs) done.jobs += forget_ended(id) ? 1 : 0;
    done.more = events.size() > 1 && events[1].seq <= to;
    return done;
  }

  Instant last_time() const override {
    const Lock lock(disk_->mutex);
    return disk_->tables.last_time;
  }

  std::uint64_t bytes() const override { return 0; }

 private:
  Result<void> store(const Commit& commit) {
    Tables& tables = disk_->tables;
    if (last_seq_ != tables.last_seq) return fail(ErrorCode::conflict, "another server has taken this state over");
    follow(tables, commit.events);
    last_seq_ = tables.last_seq;
    disk_->events.insert(disk_->events.end(), commit.events.begin(), commit.events.end());
    for (const auto& job : commit.jobs) tables.jobs.insert_or_assign(job->id, job);
    for (const auto& attempt : commit.attempts) tables.attempts.insert_or_assign(attempt->key(), attempt);
    std::apply([&](const auto&... changes) { (replace(tables, changes), ...); }, commit.named);
    for (const auto& record : commit.idempotency)
      disk_->idempotency.insert_or_assign({record.principal, record.key}, record);
    for (const auto& record : commit.tokens) disk_->tokens.insert_or_assign(record.hash, record);
    return {};
  }

  // The jobs of an array share one.
  void replace_spec(SpecId id, const std::shared_ptr<const JobSpec>& spec) {
    Tables& tables = disk_->tables;
    std::vector<Job> jobs;
    for (const auto& [number, job] : tables.jobs)
      if (job.spec_id == id) jobs.push_back(job);
    for (Job& job : jobs) {
      job.spec = spec;
      tables.jobs.insert_or_assign(job.id, std::move(job));
    }
    for (Event& event : disk_->events)
      if (auto* submitted = std::get_if<JobSubmitted>(&event.payload); submitted && submitted->job.spec_id == id)
        submitted->job.spec = spec;
  }

  bool forget_ended(JobId id) {
    Tables& tables = disk_->tables;
    const auto job = tables.jobs.find(id);
    if (job == tables.jobs.end() || !is_terminal(job->second.state)) return false;
    const auto [first, last] = attempts_of(tables, id);
    std::vector<AttemptKey> keys;
    for (auto it = first; it != last; ++it) keys.push_back(it->first);
    for (const auto& key : keys) tables.attempts.erase(key);
    tables.jobs.erase(id);
    return true;
  }

  std::shared_ptr<MemoryDisk> disk_;
  std::uint64_t last_seq_;  // the last event that this server knows
};

}  // namespace

std::shared_ptr<MemoryDisk> make_memory_disk() { return std::make_shared<MemoryDisk>(); }

std::unique_ptr<Store> make_memory_store(std::shared_ptr<MemoryDisk> disk) {
  return std::make_unique<MemoryStore>(std::move(disk));
}

}  // namespace ym
