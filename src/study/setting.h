// A setting with the values to try: "scheduling.placement=fgd,best-fit".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "study/candidates.h"

namespace ym::study {

struct Setting {
  std::string section;  // scheduling, preemption, or the name of a queue
  bool of_queue = false;
  std::string key;
  std::vector<std::string> values;  // in the spelling of the configuration file

  std::string name() const;  // "queues.a.order"
};

// Errors: `invalid`: it does not have this form.
Result<Setting> parse_setting(std::string_view written);

// Errors: `invalid`: the queue or the key does not exist, or the key cannot have that value. Of a queue's keys, only
// keys that affect its order, and which of its jobs may start, can be tried.
Result<void> set(sim::SiteOptions& site, const Setting& setting, const std::string& value,
                 const OnWarnings& on_warnings);

}  // namespace ym::study
