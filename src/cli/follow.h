// Following a job's output through its attempts, as `ym logs -f` and `ym run` do it.
#pragma once

#include <boost/json/value.hpp>
#include <functional>
#include <optional>
#include <string>

#include "cli/contact.h"

namespace ym::cli {

struct FollowRequest {
  std::string id;
  std::int64_t rank = 0;
  std::optional<std::int64_t> attempt;     // only this one; else the newest and all later ones
  std::optional<std::int64_t> last_lines;  // begin with these instead of the start
  bool from_first_attempt = false;
  bool tell = true;  // say on standard error why the job waits, and that an attempt ended
};

// Gives the bytes to `sink` until the job (or the attempt asked for) has ended or
// Ctrl-C was pressed; then the job as it was seen last. Survives restarts of the server:
// no byte is given twice, none is left out.
Result<boost::json::value> follow(Contact& contact, const FollowRequest& request,
                                  const std::function<void(std::string_view)>& sink);

}  // namespace ym::cli
