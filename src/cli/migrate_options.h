// What `ym migrate` was asked to do. The command line fills it in; the program around it (apps/ym) acts on it.
#pragma once

#include <string>

namespace ym {

struct MigrateOptions {
  std::string state;  // absolute folder with the state that is to move
  std::string to;     // "postgresql://USER@HOST:PORT/DATABASE"
  std::string schema = "yardmaster";
};

}  // namespace ym
