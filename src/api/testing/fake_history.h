// The history of a FakeBackend: its own tables and events.
#pragma once

#include "api/testing/fake_backend.h"

namespace ym::testing {

class FakeBackend::History final : public StoreReader {
 public:
  // `of` must outlive it.
  explicit History(const FakeBackend& of) : of_(of) {}

  Result<std::optional<Job>> job(JobId id) override;
  Result<std::vector<Job>> jobs(std::span<const JobId> ids) override;
  Result<std::vector<Attempt>> attempts(std::span<const JobId> jobs) override;
  Result<std::vector<Job>> jobs(const JobFilter& filter, std::size_t limit) override;
  Result<std::vector<Event>> events(const EventFilter& filter, std::size_t limit) override;
  Result<std::vector<StoredEvent>> stored_events(std::uint64_t, std::size_t) override {
    return std::vector<StoredEvent>();
  }

 private:
  const FakeBackend& of_;
};

}  // namespace ym::testing
