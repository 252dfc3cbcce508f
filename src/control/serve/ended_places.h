// EndedPlaces: where ended jobs belong, kept for the feed, which asks for each event who may see its job.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "control/access/access.h"
#include "model/job.h"

namespace ym {

// What decides who sees a job.
struct JobPlace {
  std::string project, queue, owner;

  explicit JobPlace(const Job& job) : project(job.project), queue(job.queue), owner(job.owner) {}
  Target target() const { return {.project = project, .queue = queue}; }
};

// Thread-safe. These places do not change: an ended job never waits again.
class EndedPlaces {
 public:
  std::optional<JobPlace> find(JobId id) const {
    const std::lock_guard lock(mutex_);
    const auto known = places_.find(id);
    return known == places_.end() ? std::nullopt : std::optional(known->second);
  }
  void keep(JobId id, const JobPlace& place) {
    const std::lock_guard lock(mutex_);
    if (places_.size() >= kMostKept) places_.clear();
    places_.emplace(id, place);
  }

 private:
  static constexpr std::size_t kMostKept = 10'000;

  mutable std::mutex mutex_;
  std::map<JobId, JobPlace> places_;
};

}  // namespace ym
