// A setting with the values that are tried for it: "scheduling.placement=fgd,best-fit".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "candidates.h"

namespace ym {

struct Setting {
  std::string section;  // scheduling, preemption, or the name of a queue
  bool of_queue = false;
  std::string key;
  std::vector<std::string> values;  // as they would be written

  std::string name() const;  // "queues.a.order"
};

// Errors: `invalid`: it is not written so.
Result<Setting> parse_setting(std::string_view written);

// Errors: `invalid`: there is no such queue or key, or it cannot have that value; of a queue only what says in which
// order and whom it lets run can be tried.
Result<void> set(sim::SiteOptions& site, const Setting& setting, const std::string& value);

}  // namespace ym
