// Reads pages of committed history over a read-only connection of its own.
#pragma once

#include "store/sqlite/rows.h"

namespace ym::sqlite {

class HistoryReader final : public StoreReader {
 public:
  explicit HistoryReader(std::unique_ptr<Database> database) : database_(std::move(database)), specs_(*database_) {}

  Result<std::optional<Job>> job(JobId id) override;
  Result<std::vector<Job>> jobs(std::span<const JobId> ids) override;
  Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) override;
  Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) override;
  Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) override;
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t after, std::size_t limit) override;

 private:
  // The document of the spec that the event submits; empty: it submits none, or it is missing.
  Result<std::string> spec_document(const rows::Cells& event);
  // True: these are all jobs of this state, up to the limit. False: the page was full before.
  Result<bool> collect_jobs(const JobFilter& filter, JobState state, std::size_t limit, std::vector<Job>& found);

  std::unique_ptr<Database> database_;
  SpecReader specs_;
};

}  // namespace ym::sqlite
