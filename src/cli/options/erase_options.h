// Options of `ym identity erase`. The command line fills them in; apps/ym acts on them.
#pragma once

#include <string>

namespace ym {

struct EraseOptions {
  std::string name;   // of the user or service account
  std::string state;  // absolute folder of the state
  std::string store;  // "postgresql://USER@HOST:PORT/DATABASE"; empty: the state is in the folder
  std::string schema = "yardmaster";
  std::string history;  // absolute folder of the segments
  std::string reason;
  bool keep_jobs = false;    // what its ended jobs ran stays
  bool delete_logs = false;  // of its jobs, in the folder of the state
};

}  // namespace ym
