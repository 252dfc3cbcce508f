#include "control/access/provision/member_change.h"

namespace ym {

void MemberChange::add(const std::string& member) {
  removed_.erase(member);
  added_.insert(member);
}

void MemberChange::remove(const std::string& member) {
  added_.erase(member);
  removed_.insert(member);
}

void MemberChange::clear() {
  clears_ = true;
  added_.clear();
  removed_.clear();
}

bool MemberChange::drops(const std::string& member) const {
  return (clears_ && !added_.contains(member)) || removed_.contains(member);
}

}  // namespace ym
