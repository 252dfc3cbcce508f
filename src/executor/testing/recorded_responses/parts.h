// main() of test programs that mostly wait: it runs their tests in several processes at once.
#pragma once

namespace ym::recorded {

// If tests are selected, or this is one of the parts, it runs them as usual. The output of a part is printed if it
// failed.
int run_in_parts(int argc, char** argv, int parts);

}  // namespace ym::recorded
