// QuotaWatch: checks after each admission that no queue uses more than it may. P6.
#pragma once

#include "fault_injection/findings.h"
#include "model/tables.h"

namespace ym::sim {

class QuotaWatch {
 public:
  explicit QuotaWatch(Findings& findings) : findings_(findings) {}
  void committed(const std::vector<Event>& events, const Tables& tables);

 private:
  void admitted(const std::string& queue, const Tables& tables);
  Findings& findings_;
};

}  // namespace ym::sim
