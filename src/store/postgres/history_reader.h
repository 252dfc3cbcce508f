// Reads pages of committed history over a read-only connection of its own. A lost connection is opened again.
#pragma once

#include "store/postgres/rows.h"

namespace ym::postgres {

class HistoryReader final : public StoreReader {
 public:
  HistoryReader(ConnectionOptions options, std::unique_ptr<Connection> connection);

  // Errors of all reads: `corrupt`; `conflict`: a newer version leads and wrote the requested rows; `unavailable`:
  // there is no server.
  Result<std::optional<Job>> job(JobId id) override;
  Result<std::vector<Job>> jobs(std::span<const JobId> ids) override;
  Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) override;
  Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) override;
  Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) override;
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t after, std::size_t limit) override;

 private:
  class Page;
  // Asks again once if the connection turns out to be lost.
  template <class Ask>
  auto ask(Ask question) -> decltype(question());
  template <class Answer>
  Answer explained(Answer answer);
  Result<void> connect();
  Result<std::vector<Job>> ask_jobs(std::span<const JobId> ids);
  Result<std::vector<Attempt>> ask_attempts(std::span<const JobId> jobs);
  Result<std::vector<Job>> ask_jobs(const JobFilter& filter, std::size_t limit);
  Result<std::vector<StoredEvent>> ask_stored_events(std::uint64_t after, std::size_t limit);
  Result<std::vector<Event>> ask_events(const EventFilter& filter, std::size_t limit);

  ConnectionOptions options_;
  std::unique_ptr<Connection> connection_;
  SpecReader specs_;
};

}  // namespace ym::postgres
