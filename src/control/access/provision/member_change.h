// MemberChange: which principals enter a group, and which leave it; by id.
#pragma once

#include <set>
#include <string>

namespace ym {

// A value: steps can be added in their order.
class MemberChange {
 public:
  void add(const std::string& member);
  void remove(const std::string& member);
  void clear();  // all present members, and those added so far

  bool is_none() const { return !clears_ && added_.empty() && removed_.empty(); }
  const std::set<std::string>& added() const { return added_; }
  // Whether a present member has to leave.
  bool drops(const std::string& member) const;

 private:
  bool clears_ = false;
  std::set<std::string> added_, removed_;
};

}  // namespace ym
