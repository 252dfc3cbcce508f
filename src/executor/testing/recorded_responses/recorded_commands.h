// RecordedCommands: plays a recording as programs: a folder of small scripts with the names of Slurm's commands. They
// answer by their arguments.
//
//   bin/squeue ...   the scripts, all the same         calls     the requests: one line each, with the phase
//   now              -> the answers of this phase      response/ their output          count/   how often
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "executor/testing/recorded_responses/recorded_server.h"
#include "executor/testing/recorded_responses/recording.h"

namespace ym::recorded {

class RecordedCommands {
 public:
  // Creates `folder`; the caller removes it. Precondition: its path contains no quotes.
  RecordedCommands(const Recording& recording, std::filesystem::path folder);

  std::filesystem::path bin_dir() const { return folder_ / "bin"; }
  // Throws if the recording has no such phase.
  void enter(const std::string& phase) const;
  std::string phase() const;
  std::vector<Asked> asked() const;

 private:
  void write_programs() const;
  void write_responses(const Recording& recording) const;
  void write_phase(const Recording& recording, const std::string& phase) const;

  std::filesystem::path folder_;
};

}  // namespace ym::recorded
