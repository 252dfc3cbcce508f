// Ctrl-C as a question that is asked now and then, instead of as an end.
#pragma once

namespace ym::cli {

// From now on the first SIGINT (or SIGTERM) is only noted; a second one kills as usual.
void note_interrupts();
bool was_interrupted();

}  // namespace ym::cli
