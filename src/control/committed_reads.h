// CommittedReads: jobs and events as they are committed. What lives comes from the read model, the rest from the store.
//
// Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/read_model.h"
#include "control/service.h"

namespace ym {

class CommittedReads {
 public:
  using OpenReader = std::function<Result<std::unique_ptr<StoreReader>>()>;

  // `model` must outlive it. Readers are made on demand and used again, each by one thread at a time.
  CommittedReads(const ReadModel& model, OpenReader open) : model_(model), open_(std::move(open)) {}

  // As Service has them.
  Result<JobId> resolve(const Caller& caller, std::string_view id_or_name);
  Result<GroupId> resolve_group(const Caller& caller, std::string_view id_or_name);
  Result<JobView> job(JobId id);
  Result<JobPage> jobs(const JobFilter& filter, std::size_t limit);
  Result<EventPage> events(const EventFilter& filter, std::size_t limit);
  Result<std::optional<Notice>> notice(AttemptKey attempt);

  // As the store has it, whether it has ended or not.
  Result<JobView> stored_job(JobId id);

 private:
  Result<std::optional<JobId>> newest_ended(const Caller& caller, const std::string& name);
  struct HistoryPage {
    std::vector<JobView> views;   // newest first
    std::optional<JobId> cut_at;  // the last one, if there are more: large rows make short pages
  };
  Result<HistoryPage> history_page(const JobFilter& filter, std::size_t limit);
  static Result<std::optional<JobId>> cut_of(StoreReader& reader, JobFilter filter, const std::vector<Job>& page,
                                             std::size_t limit);

  class ReaderLease;
  Result<ReaderLease> lease_reader();

  const ReadModel& model_;
  const OpenReader open_;
  std::mutex readers_mutex_;
  std::vector<std::unique_ptr<StoreReader>> idle_readers_;
};

std::unexpected<Error> no_such_attempt(AttemptKey key);

}  // namespace ym
