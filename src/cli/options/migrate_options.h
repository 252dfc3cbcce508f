// Options of `ym migrate`. The command line fills them in; apps/ym acts on them.
#pragma once

#include <string>

namespace ym {

struct MigrateOptions {
  std::string state;  // absolute folder of the state to move
  std::string to;     // "postgresql://USER@HOST:PORT/DATABASE"
  std::string schema = "yardmaster";
};

}  // namespace ym
