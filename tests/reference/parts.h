// The parts of a gang that are of one flavor each: mostly there is one; an anchor may be another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/job.h"

namespace ym::reference {

// A part as a job of its own.
struct Part {
  std::string flavor;
  Job job;
};

// Of a job that is charged to "f", or to "f+g"; the anchor last. None has no nodes.
std::vector<Part> parts_of(const Job& job, const std::string& flavors);
// By flavor, how many of so many tasks of the job are of it.
std::vector<std::pair<std::string, std::int64_t>> tasks_of(const Job& job, const std::string& flavors,
                                                           std::int64_t tasks);
// The flavors that both name.
std::vector<std::string> in_both(const std::string& flavors, const std::string& others);
// That of all nodes but the anchor.
std::string rest_of(const std::string& flavors);

}  // namespace ym::reference
