// Jobs for which no room could be made, and so none for those who ask for more.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "engine/state/job_table.h"

namespace ym::engine {

// A job of the same queue, with the same rules for its nodes, that is no more urgent and asks for no
// less of the same kinds may stop no others and needs no less room. That holds until somebody
// leaves; whoever forgets them then and looks again finds those that it has helped.
class Hopeless {
 public:
  void add(const JobRow& job, const Shape& shape);
  bool covers(const JobRow& job, const Shape& shape) const;

 private:
  struct Ask {
    std::int32_t priority = 0, nodes = 0;
    ResourceVector task;
  };
  static bool covers(const Ask& ask, const JobRow& job, const Shape& shape);

  std::map<std::pair<Index, Index>, std::vector<Ask>> asks_;  // by queue and rule
};

}  // namespace ym::engine
