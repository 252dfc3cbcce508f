// The server's log on standard error. Each message is one line, whatever it contains.
#pragma once

#include <string>
#include <string_view>

namespace ym {

// `level`: the value of --log-level. `format`: "text", or "json" for one object a line with `time`, `level` and
// `message`.
void set_up_logging(const std::string& level, std::string_view format);

}  // namespace ym
