// ym-supervisor TASK_FOLDER: runs beside one task of an attempt. The local executor starts it, never a user; see
// src/executor/local/supervisor/.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "executor/local/supervisor/supervisor.h"

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("ym-supervisor " YM_VERSION);
    return 0;
  }
  if (argc != 2 || argv[1][0] != '/') {
    std::fputs(
        "usage: ym-supervisor TASK_FOLDER\n\nym starts this program beside each task. Do not start it by hand.\n",
        stderr);
    return 2;
  }
  return ym::local::Supervisor{ym::local::become_daemon()}.run(argv[1]);
}
