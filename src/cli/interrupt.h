// Ctrl-C as a flag that the program polls.
#pragma once

namespace ym::cli {

// After this call the first SIGINT or SIGTERM sets the flag. A second one kills the program.
void note_interrupts();
bool was_interrupted();

}  // namespace ym::cli
