#include "archive/archiver.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "archive/segment_file.h"

namespace ym {
namespace {

constexpr std::size_t kSealsOfAPage = 32;
// A segment has this part of the time that events are kept, and a day; or it is full. Else there would be one a minute.
constexpr std::int64_t kSegmentsOfATime = 32;
// After each failure it waits twice as long, up to this.
constexpr std::chrono::milliseconds kLongestWait{std::chrono::hours(1)};
constexpr std::int64_t kMostDoublings = 16;
constexpr auto kStrayEnding = ".stray";

Duration span_of(const Retention& retention) {
  return std::max(Duration{retention.jobs.ms / kSegmentsOfATime}, std::min(retention.jobs, hours(24)));
}

std::chrono::milliseconds look_every(const Retention& retention) {
  return std::chrono::milliseconds(std::clamp(Duration{retention.jobs.ms / 4}, Duration{100}, minutes(1)).ms);
}

std::chrono::milliseconds wait_after(std::int64_t failures, const Retention& retention) {
  return std::min(look_every(retention) * (std::int64_t{1} << std::min(failures, kMostDoublings)), kLongestWait);
}

VerifiedTo place_of(const Event& event) {
  const auto& seal = std::get<LogSealed>(event.payload);
  return {.head = {.to = seal.to, .chain = seal.chain}, .seal = event.seq};
}

}  // namespace

Archiver::Archiver(std::filesystem::path folder, Ports ports) : folder_(std::move(folder)), ports_(std::move(ports)) {}

Archiver::~Archiver() = default;

void Archiver::start() {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Archiver::set(const std::optional<Retention>& retention) {
  const std::lock_guard lock(mutex_);
  if (retention_ == retention) return;
  retention_ = retention;
  changed_ = true;
  in_a_row_ = 0;
  this_look_.request_stop();
  wake_.notify_one();
}

void Archiver::stop() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

// Until the next look. False: there is none.
bool Archiver::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto changed = [this] { return changed_; };
  if (retention_) wake_.wait_for(lock, stop, wait_after(in_a_row_, *retention_), changed);
  else wake_.wait(lock, stop, changed);
  changed_ = false;
  this_look_ = std::stop_source();
  return !stop.stop_requested();
}

void Archiver::run(const std::stop_token& stop) {
  std::string said;
  while (wait(stop)) {
    const std::stop_source now = [&] {
      const std::lock_guard lock(mutex_);
      return this_look_;
    }();
    const std::stop_callback ends_it(stop, [now]() mutable { now.request_stop(); });
    const auto looked = look(now.get_token());
    const bool failed = !looked && !now.stop_requested();
    if (failed && std::exchange(said, looked.error().message) != looked.error().message)
      spdlog::error("old events stay in the database: {}", looked.error().message);
    if (!failed) said.clear();
  }
}

Result<void> Archiver::look(const std::stop_token& stop) {
  const auto retention = [&] {
    const std::lock_guard lock(mutex_);
    return retention_;
  }();
  if (!retention) return {};
  auto looked = look_once(*retention, stop);
  const std::lock_guard lock(mutex_);
  if (looked) in_a_row_ = 0;
  else if (!stop.stop_requested()) ++failures_, ++in_a_row_;
  return looked;
}

std::optional<ArchiveCounts> Archiver::counts() const {
  const std::lock_guard lock(mutex_);
  if (!retention_) return std::nullopt;
  const Duration overdue = oldest_ ? ports_.now() - (*oldest_ + retention_->jobs + span_of(*retention_)) : Duration{};
  return ArchiveCounts{.overdue_ms = std::max<std::int64_t>(overdue.ms, 0), .failures = failures_};
}

// Events are due with their seal: where it is quiet, the last ones get none. Of a seal that cannot be read the time is
// not known: that of the one before stays.
void Archiver::note_oldest(StoreReader& reader) {
  const auto segments = ports_.segments();
  const std::uint64_t after = segments.empty() ? 0 : segments.back().seal;
  // The search may read many events, and the first seal stays the first.
  if (oldest_ && noted_after_ == after) return;
  const auto next = reader.events({.after = after, .type = LogSealed::kType}, 1);
  if (!next) return;
  noted_after_ = after;
  const std::lock_guard lock(mutex_);
  oldest_ = next->empty() ? std::nullopt : std::optional(next->front().time);
}

Result<void> Archiver::look_once(const Retention& retention, const std::stop_token& stop) {
  const auto archived = archive_all(retention, stop);
  if (stop.stop_requested()) return archived;
  // These do not wait for what cannot be archived.
  const auto removed = remove_old_files(retention, stop);
  return archived ? removed : archived;
}

Result<void> Archiver::archive_all(const Retention& retention, const std::stop_token& stop) {
  auto reader = ports_.reader();
  if (!reader) return std::unexpected(reader.error());
  note_oldest(**reader);
  sort_strays(ports_.segments());
  // What an earlier process began.
  if (auto done = delete_archived(stop); !done) return done;
  while (!stop.stop_requested()) {
    const auto more = archive(**reader, retention, stop);
    if (!more) return std::unexpected(more.error());
    note_oldest(**reader);
    if (!*more) break;
    if (auto done = delete_archived(stop); !done) return done;
  }
  return {};
}

// The only copy of events may be in a file of another machine, or on a disk that is not mounted.
Result<void> Archiver::check_files(const std::vector<HistorySegment>& segments) {
  const auto reader = ports_.reader();
  auto first =
      reader ? (*reader)->events({.after = 1}, 1) : Result<std::vector<Event>>(std::unexpected(reader.error()));
  if (!first) return std::unexpected(first.error());
  for (const HistorySegment& segment : segments) {
    // Of what is deleted already, the file may be on another medium by now.
    if (first->empty() || segment.to < first->front().seq) continue;
    const auto hash = sha256_of_file(folder_ / segment.name);
    if (!hash || *hash != segment.sha256)
      return fail(ErrorCode::io, fmt::format("the segment {} is not in {}, or is another file; nothing is deleted",
                                             segment.name, folder_.string()));
  }
  return {};
}

// A file without a row is of a crash before its row was stored, or of a later state than the one that was restored. One
// that was moved aside and has a row comes back: a leader that slept through a takeover does not know the rows of the
// next one, and moves its files aside before a commit tells it so.
void Archiver::sort_strays(const std::vector<HistorySegment>& segments) const {
  std::error_code ignored;
  for (const HistorySegment& segment : segments) {
    const auto file = folder_ / segment.name;
    const auto stray = file.string() + kStrayEnding;
    if (std::filesystem::exists(file, ignored) || sha256_of_file(stray) != segment.sha256) continue;
    std::filesystem::rename(stray, file, ignored);
    spdlog::warn("the segment {} was moved aside, and is back: this state has it", segment.name);
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_, ignored)) {
    const auto name = entry.path().filename().string();
    if (!name.ends_with(".jsonl.gz") || std::ranges::find(segments, name, &HistorySegment::name) != segments.end())
      continue;
    std::filesystem::rename(entry.path(), entry.path().string() + kStrayEnding, ignored);
    spdlog::warn("no row of this state has the segment {}: it is moved aside as {}{}", name, name, kStrayEnding);
  }
}

Result<std::optional<SegmentSpan>> Archiver::next_span(StoreReader& reader, const Retention& retention) const {
  const auto segments = ports_.segments();
  SegmentSpan span;
  if (!segments.empty())
    span.before = {.head = {.to = segments.back().to, .chain = segments.back().chain}, .seal = segments.back().seal};
  span.end = span.before;
  const Instant horizon = ports_.now() - retention.jobs;
  const auto is_older = [&](std::uint64_t after, Instant than) -> Result<bool> {
    const auto event = reader.events({.after = after}, 1);
    if (!event) return std::unexpected(event.error());
    return !event->empty() && event->front().time < than;
  };
  const auto from = span.before.head.to;
  // Cheap, and mostly the end: what is oldest is not old enough.
  const auto is_long = is_older(std::max<std::uint64_t>(from, 1), horizon - span_of(retention));
  if (!is_long) return std::unexpected(is_long.error());
  const auto is_full = *is_long ? Result<bool>(false) : is_older(from + kMostOfASegment, horizon);
  if (!is_full) return std::unexpected(is_full.error());
  if (!*is_long && !*is_full) return std::optional<SegmentSpan>();
  for (bool full = false; !full;) {
    const auto seals = reader.events({.after = span.end.seal, .type = LogSealed::kType}, kSealsOfAPage);
    if (!seals) return std::unexpected(seals.error());
    full = seals->empty();
    for (const Event& event : *seals) {
      // A seal is younger than its events.
      full = event.time >= horizon || span.end.head.to - from >= kMostOfASegment;
      if (full) break;
      span.end = place_of(event);
    }
  }
  if (span.end.head.to == from) return std::optional<SegmentSpan>();
  const auto erased = confirmed_seals(reader, ports_.erasures ? ports_.erasures() : std::vector<Erasure>());
  if (!erased) return std::unexpected(erased.error());
  span.erased = *erased;
  return std::optional(std::move(span));
}

Result<bool> Archiver::archive(StoreReader& reader, const Retention& retention, const std::stop_token& stop) {
  const auto span = next_span(reader, retention);
  if (!span) return std::unexpected(span.error());
  if (!*span) return false;
  const auto segment = write_segment(folder_, reader, **span, [&stop] { return !stop.stop_requested(); });
  if (!segment) return std::unexpected(segment.error());
  if (auto added = ports_.add(*segment); !added) return std::unexpected(added.error());
  spdlog::info("events {} to {} with {} ended jobs are in {} now", segment->from, segment->to, segment->jobs,
               (folder_ / segment->name).string());
  return true;
}

Result<void> Archiver::delete_archived(const std::stop_token& stop) {
  const auto segments = ports_.segments();
  if (segments.empty() || segments.back().to <= deleted_to_) return {};
  if (auto checked = check_files(segments); !checked) return checked;
  const auto to = segments.back().to;
  for (bool more = true; more;) {
    if (stop.stop_requested()) return {};
    const auto begin = std::chrono::steady_clock::now();
    const auto step = ports_.prune(to, kStep);
    if (!step) return std::unexpected(step.error());
    more = step->more;
    // Commits of others come first: deleting takes a third of the time at most.
    if (more) std::this_thread::sleep_for(2 * (std::chrono::steady_clock::now() - begin));
  }
  deleted_to_ = to;
  return {};
}

Result<void> Archiver::remove_old_files(const Retention& retention, const std::stop_token& stop) {
  const auto segments = ports_.segments();
  const Instant horizon = ports_.now() - retention.audit;
  for (std::size_t i = 0; i + 1 < segments.size() && segments[i].last_at < horizon; ++i) {
    if (stop.stop_requested()) return {};
    // The row first: a row without a file would look like a loss.
    if (auto removed = ports_.remove(segments[i]); !removed) return removed;
    std::error_code error;
    std::filesystem::remove(folder_ / segments[i].name, error);
    if (error) return fail(ErrorCode::io, fmt::format("cannot delete {}: {}", segments[i].name, error.message()));
    spdlog::info("the segment {} is older than retention.audit and was deleted", segments[i].name);
  }
  return {};
}

}  // namespace ym
