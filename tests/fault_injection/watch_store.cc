#include "fault_injection/watch_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

namespace ym::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAll = 1'000'000;

template <class T>
std::vector<T> or_none(Result<std::vector<T>> found) {
  return found ? std::move(*found) : std::vector<T>();
}

std::vector<Event> all_events(StoreReader& reader) {
  std::vector<Event> events;
  for (;;) {
    auto page = or_none(reader.events({.after = events.empty() ? 0 : events.back().seq}, kAll));
    if (page.empty()) return events;
    events.insert(events.end(), std::make_move_iterator(page.begin()), std::make_move_iterator(page.end()));
  }
}

// Without ended jobs, as a store loads it.
Tables folded(const std::vector<Event>& events) {
  Tables tables;
  for (const Event& event : events) apply(tables, event);
  std::vector<JobId> ended;
  for (const auto& [id, job] : tables.jobs)
    if (is_terminal(job.state)) ended.push_back(id);
  for (const JobId id : ended) forget(tables, id);
  return tables;
}

// Damages a file, as a disk or a user might.
std::string spoil(const fs::path& copy, Random& random) {
  const bool log = fs::exists(copy / "yardmaster.db-wal") && random.below(2) == 0;
  const fs::path file = copy / (log ? "yardmaster.db-wal" : "yardmaster.db");
  const auto size = fs::file_size(file);
  const auto kind = random.below(3);
  if (kind == 0 || size == 0) return fs::remove(file), fmt::format("{} removed", file.filename().string());
  const auto at = random.below(size);
  if (kind == 1) return fs::resize_file(file, at), fmt::format("{} cut at {}", file.filename().string(), at);
  std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(at));
  const int byte = stream.get();
  stream.seekp(static_cast<std::streamoff>(at));
  stream.put(static_cast<char>(byte ^ (1 << random.below(8))));
  return fmt::format("a bit of {} flipped at {}", file.filename().string(), at);
}

}  // namespace

void StoreWatch::look(Store& store) {
  const auto loaded = store.load();
  if (!loaded) {
    findings_.add(Promise::restart_is_harmless, "the state cannot be loaded: " + loaded.error().message);
    return;
  }
  if (loaded->tables.last_seq < committed_seq_)
    findings_.add(Promise::acknowledged_is_kept, fmt::format("event {} was acknowledged, but the state ends at {}",
                                                             committed_seq_, loaded->tables.last_seq));
  const auto reader = store.reader();
  if (!reader) return;
  const auto stored = all_events(**reader);
  look_for_acknowledged(**reader, gone(stored));
  look_at_events(*loaded, stored);
  if (const auto fault = history_.fault(loaded->tables, **reader)) findings_.add(Promise::audit_is_whole, *fault);
}

// They ended, and none of their events is stored any more.
std::set<JobId> StoreWatch::gone(const std::vector<Event>& stored) const {
  std::set<JobId> gone;
  for (const auto& [seq, event] : history_.moved())
    if (const auto* finished = std::get_if<JobFinished>(&event.payload)) gone.insert(finished->job);
  for (const Event& event : stored)
    if (const auto job = job_of(event.payload)) gone.erase(*job);
  return gone;
}

void StoreWatch::look_for_acknowledged(StoreReader& reader, const std::set<JobId>& gone) {
  std::set<JobId> made;
  for (const auto& [key, submitted] : clients_.submitted()) {
    for (const auto& answer : submitted.answers)
      if (answer != submitted.answers.front() && !keys_may_be_forgotten_)
        findings_.add(Promise::one_job_for_a_key, fmt::format("{} was answered with different jobs", key));
    for (const JobId id : submitted.answers.front()) {
      const auto job = reader.job(id);
      if (!job || job->has_value() == gone.contains(id))
        findings_.add(Promise::acknowledged_is_kept,
                      fmt::format("job {} of {} is {}", to_string(id), key,
                                  gone.contains(id) ? "there without its events" : "gone"));
      if (!made.insert(id).second)
        findings_.add(Promise::one_job_for_a_key, fmt::format("job {} answers two keys", to_string(id)));
    }
  }
}

// Nothing, and a finding: an event is missing, or is another one.
std::optional<std::vector<Event>> StoreWatch::with_moved(const std::vector<Event>& stored) {
  auto all = history_.moved();
  for (const Event& event : stored) {
    const auto [known, is_new] = all.emplace(event.seq, event);
    if (!is_new && known->second != event)
      findings_.add(Promise::audit_is_whole, fmt::format("event {} is another one since it was to leave", event.seq));
  }
  std::vector<Event> events;
  for (auto& [seq, event] : all) {
    if (seq != events.size() + 1) {
      findings_.add(Promise::audit_is_whole, fmt::format("event {} is missing", events.size() + 1));
      return std::nullopt;
    }
    events.push_back(std::move(event));
  }
  return events;
}

void StoreWatch::look_at_events(const LoadedState& loaded, const std::vector<Event>& stored) {
  const auto events = with_moved(stored);
  if (!events) return;
  const Tables tables = folded(*events);
  if (tables == loaded.tables) return;
  std::string where = "something";
  if (tables.jobs != loaded.tables.jobs) where = "jobs";
  else if (tables.attempts != loaded.tables.attempts) where = "attempts";
  else if (tables.usage != loaded.tables.usage) where = "usage";
  else if (tables.nodes != loaded.tables.nodes) where = "nodes";
  findings_.add(Promise::audit_is_whole, where + " of the state does not follow from the events");
}

void StoreWatch::damage(const Disk& disk, Random& random, Canary canary) {
  // Without the note the last acknowledged event is unknown.
  std::error_code none;
  if (fs::file_size(disk.state_dir() / "acknowledged", none) == 0 || none) return;
  Tables whole;
  {
    const auto store = disk.open_copy(disk.copy());
    const auto loaded = store ? (*store)->load() : Result<LoadedState>();
    if (!store || !loaded) return;
    whole = loaded->tables;
  }
  const fs::path copy = disk.copy();
  const std::string what = spoil(copy, random);
  if (canary == Canary::begun_anew) fs::remove_all(copy);
  const auto store = disk.open_copy(copy);
  if (!store) return;
  const auto loaded = (*store)->load();
  if (loaded && loaded->tables != whole)
    findings_.add(Promise::lost_state_is_refused, fmt::format("{}: a server starts with event {} instead of {}", what,
                                                              loaded->tables.last_seq, whole.last_seq));
}

}  // namespace ym::sim
