// ReplyCommands: plays a recording as programs: a folder of small scripts with the names of Slurm's commands. They
// answer by their arguments.
//
//   bin/squeue ...   the scripts, all the same         calls     the requests: one line each, with the phase
//   now              -> the answers of this phase      reply/    their output          count/   how often
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "executor/testing/replies/recording.h"
#include "executor/testing/replies/reply_server.h"

namespace ym::replies {

class ReplyCommands {
 public:
  // Creates `folder`; the caller removes it. Precondition: its path contains no quotes.
  ReplyCommands(const Recording& recording, std::filesystem::path folder);

  std::filesystem::path bin_dir() const { return folder_ / "bin"; }
  // Throws if the recording has no such phase.
  void enter(const std::string& phase) const;
  std::string phase() const;
  std::vector<Asked> asked() const;

 private:
  void write_programs() const;
  void write_replies(const Recording& recording) const;
  void write_phase(const Recording& recording, const std::string& phase) const;

  std::filesystem::path folder_;
};

}  // namespace ym::replies
