// Archiver: moves old events from the database to segments of the history, on a thread of its own.
//
// Only the leader has one. Each step can be repeated: see README.md.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "archive/segment_writer.h"
#include "control/counters.h"
#include "model/history/retention.h"
#include "store/store.h"

namespace ym {

class Archiver {
 public:
  struct Ports {
    std::function<Result<std::unique_ptr<StoreReader>>()> reader;
    std::function<Instant()> now;
    std::function<std::vector<HistorySegment>()> segments;   // stored ones, in order
    std::function<Result<void>(const HistorySegment&)> add;  // returns when the row is stored
    std::function<Result<void>(const HistorySegment&)> remove;
    std::function<Result<Pruned>(std::uint64_t to, std::size_t limit)> prune;
    std::function<std::vector<Erasure>()> erasures{};  // stored ones; null: there are none
  };

  // Events that one transaction deletes: commits wait for so long. And the most of a segment.
  static constexpr std::size_t kStep = 500, kMostOfASegment = 200'000;

  Archiver(std::filesystem::path folder, Ports ports);
  ~Archiver();  // waits for its thread

  // From now on a thread looks: after each set(), then each minute, or more often where history is kept for a short
  // time. Call it once.
  void start();
  // In force at once: a look in progress ends. Nothing: everything stays where it is. Thread-safe.
  void set(const std::optional<Retention>& retention);
  // Thread-safe. Nothing: no retention is set.
  std::optional<ArchiveCounts> counts() const;
  void request_stop() { thread_.request_stop(); }
  void stop();  // waits for its thread

  // One look: all that is due. For tests; the thread calls it otherwise.
  Result<void> look(const std::stop_token& stop = {});

 private:
  void run(const std::stop_token& stop);
  bool wait(const std::stop_token& stop);
  Result<void> look_once(const Retention& retention, const std::stop_token& stop);
  void note_oldest(StoreReader& reader);
  Result<void> archive_all(const Retention& retention, const std::stop_token& stop);
  Result<bool> archive(StoreReader& reader, const Retention& retention, const std::stop_token& stop);
  // Errors: `io`: a segment that rows have is not in the folder, or is another file.
  Result<void> check_files(const std::vector<HistorySegment>& segments);
  void sort_strays(const std::vector<HistorySegment>& segments) const;
  Result<void> delete_archived(const std::stop_token& stop);
  Result<void> remove_old_files(const Retention& retention, const std::stop_token& stop);
  Result<std::optional<SegmentSpan>> next_span(StoreReader& reader, const Retention& retention) const;

  const std::filesystem::path folder_;
  const Ports ports_;
  std::uint64_t deleted_to_ = 0;  // known to be deleted by this process
  mutable std::mutex mutex_;
  std::optional<Retention> retention_;
  std::optional<Instant> oldest_;  // time of the first seal after those of the segments, as last seen
  std::uint64_t noted_after_ = 0;  // of the thread: the seal after which oldest_ is the first
  std::int64_t failures_ = 0, in_a_row_ = 0;
  bool changed_ = false;        // since the last look began
  std::stop_source this_look_;  // of the thread's present look
  std::condition_variable_any wake_;
  std::jthread thread_;  // ends before all above
};

}  // namespace ym
