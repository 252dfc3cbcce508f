// The parts of a gang: mostly there is one; an anchor may be of another flavor; groups differ in what they ask for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/job.h"

namespace ym::reference {

// A part as a job of its own.
struct Part {
  std::string flavor;
  Job job;
};

// Of a job that is charged to "f", or part by part to "f+g", in the order of the tasks. None has no nodes.
std::vector<Part> parts_of(const Job& job, const std::string& flavors);
// The same of an attempt with so many tasks.
std::vector<Part> parts_of(const Job& job, const std::string& flavors, std::int64_t tasks);
// The flavors that both name, each once.
std::vector<std::string> in_both(const std::string& flavors, const std::string& others);
bool names(const std::string& flavors, std::string_view flavor);
// The job, or each of its groups as a job of its own.
std::vector<Job> kinds_of(const Job& job);
// By flavor, in the order of its parts, those that share it.
std::vector<std::vector<Part>> by_flavor(const std::vector<Part>& parts);
// What they ask for in all of each flavor, in the same order.
struct FlavorNeed {
  std::string flavor;
  ResourceVector amounts;
};
std::vector<FlavorNeed> needs_of(const Job& job, const std::string& flavors);
// The part that has this task.
Part part_with(const Job& job, const std::string& flavors, std::int64_t tasks, std::int32_t task);
// Another job with the same tables' row: that of its group.
Job as_group(const Job& job, std::size_t group);

}  // namespace ym::reference
