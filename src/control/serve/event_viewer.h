// EventViewer: how much of each event a caller sees. An event of a job shows as much as the job does.
//
// It holds for one moment: what a caller may see changes. Used by one thread at a time.
#pragma once

#include <map>

#include "control/access/sight.h"

namespace ym {

class Reads;

class EventViewer {
 public:
  // `reads` must outlive it.
  EventViewer(const Reads& reads, const Caller& caller);

  bool sees_all() const { return sees_all_; }
  // outline: that it happened to the job, and when. Errors: those of a read.
  Result<Visibility> sight_of(const Event& event);

 private:
  const Reads& reads_;
  Sight sight_;
  const bool sees_all_;
  std::map<JobId, Visibility> jobs_;  // that were asked for
};

}  // namespace ym
