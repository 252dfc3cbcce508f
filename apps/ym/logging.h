// The server's log on standard error: one message is one line, whatever is in it.
#pragma once

#include <string>
#include <string_view>

namespace ym {

// `level`: as --log-level has it. `format`: "text", or "json" for an object a line with
// `time`, `level` and `message`.
void set_up_logging(const std::string& level, std::string_view format);

}  // namespace ym
