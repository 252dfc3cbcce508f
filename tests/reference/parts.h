// The parts of a gang: mostly one. An anchor may use another flavor, and groups differ in their requests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"

namespace ym::reference {

// A part as a separate job.
struct Part {
  std::string flavor;
  Job job;
};

// The parts of a job that is charged to "f", or part by part to "f+g", in the order of the tasks. No part is without
// nodes.
std::vector<Part> parts_of(const Job& job, const std::string& flavors);
// The same for an attempt with this number of tasks.
std::vector<Part> parts_of(const Job& job, const std::string& flavors, std::int64_t tasks);
// The flavors that both name, each once.
std::vector<std::string> in_both(const std::string& flavors, const std::string& others);
bool names(const std::string& flavors, std::string_view flavor);
// The job, or each of its groups as a separate job.
std::vector<Job> kinds_of(const Job& job);
// The parts that share a flavor, in the order of the parts.
std::vector<std::vector<Part>> by_flavor(const std::vector<Part>& parts);
// What the parts of each flavor ask for together, in the same order.
struct FlavorNeed {
  std::string flavor;
  ResourceVector amounts;
};
std::vector<FlavorNeed> needs_of(const Job& job, const std::string& flavors);
// The part that has this task.
Part part_with(const Job& job, const std::string& flavors, std::int64_t tasks, std::int32_t task);
// Another job with the same row in the tables: that of its group.
Job as_group(const Job& job, std::size_t group);

}  // namespace ym::reference
