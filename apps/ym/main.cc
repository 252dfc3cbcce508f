#include "archive/history_view.h"
#include "cli/cli.h"
#include "erase_identity.h"
#include "migrate.h"
#include "serve.h"
#include "studies.h"

#include <cstdio>

// Options that jemalloc reads. A server that accepts many jobs at once frees as much memory as it keeps. A thread of
// the allocator returns it to the system within a second. A few heaps together keep less of it than the default of
// four for each core (docs/design/0028-memory-of-a-queue.md).
extern "C" {
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): its name and type are jemalloc's
const char* malloc_conf = "narenas:2,lg_tcache_max:12,dirty_decay_ms:200,muzzy_decay_ms:0,background_thread:true";
}

namespace {

// The engine is compiled for this processor level (src/engine/CMakeLists.txt). On an older one it would crash within
// a cycle, without a message.
bool is_known_processor() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("x86-64-v2") != 0;
#else
  return true;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  if (!is_known_processor()) {
    std::fputs(
        "ym: this processor is not an x86-64-v2 (Intel since 2009, AMD since 2011). In a virtual machine, choose a "
        "processor model that is, such as 'host'.\n",
        stderr);
    return 1;
  }
  return ym::run_cli(argc, argv,
                     {.serve = ym::serve,
                      .simulate = ym::simulate,
                      .tune = ym::tune,
                      .forecast = ym::forecast,
                      .capacity = ym::capacity,
                      .replay = ym::replay_recordings,
                      .history = ym::show_history,
                      .migrate = ym::migrate,
                      .erase = ym::erase_identity});
}
