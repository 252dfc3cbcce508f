#include "cli/interrupt.h"

#include <signal.h>

namespace ym::cli {
namespace {

// The only object that the signal handler writes.
volatile sig_atomic_t interrupted = 0;

}  // namespace

void note_interrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

bool was_interrupted() { return interrupted != 0; }

}  // namespace ym::cli
