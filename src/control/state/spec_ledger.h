// SpecLedger: the memory that the specs of live jobs take, by owner.
//
// The members of an array share one spec, which counts once. A retry counts as a spec of its own. One thread.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "model/job.h"

namespace ym {

// Roughly the memory that a spec takes beyond a plain one with a few short texts; rather too much than too little. For
// plain specs, only the number of jobs is limited.
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
    std::string owner;  // charged: the owner of the first job
  };
  std::map<SpecId, Held> specs_;  // without plain ones
  std::map<std::string, std::size_t> owners_;
};

}  // namespace ym
