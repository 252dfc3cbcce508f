// SpecLedger: how much memory the specs of live jobs take, by owner.
//
// A spec is shared by the members of an array, and by whoever retries one, and counts once.
// One thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "model/job.h"

namespace ym {

// What a spec takes in memory beyond a plain one with a few short texts, roughly and rather too much
// than too little. Of plain ones the number alone is limited.
std::size_t bytes_of(const JobSpec& spec);

class SpecLedger {
 public:
  void clear();
  void add(const Job& job);
  // Precondition: the job was added.
  void remove(const Job& job);

  std::size_t bytes(const std::string& owner) const;

 private:
  struct Held {
    std::size_t bytes = 0;
    std::size_t jobs = 0;
    std::string owner;  // charged: whose job was the first
  };
  std::map<SpecId, Held> specs_;  // all but plain ones
  std::map<std::string, std::size_t> owners_;
};

}  // namespace ym
