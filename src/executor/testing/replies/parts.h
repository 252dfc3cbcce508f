// main() of test programs that mostly wait: their tests run in so many processes at once.
#pragma once

namespace ym::replies {

// Where tests are picked, or are a part already, they run as ever. What a part printed is shown if it failed.
int run_in_parts(int argc, char** argv, int parts);

}  // namespace ym::replies
