// Follows the output of a job through its attempts, for `ym logs -f` and `ym run`.
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
  std::optional<std::int64_t> attempt;     // only this attempt; none: the newest and all later ones
  std::optional<std::int64_t> last_lines;  // begin with these lines; none: at the start
  bool from_first_attempt = false;
  bool tell = true;  // report on standard error why the job waits, and when an attempt ends
};

// Gives the bytes to `sink` until the job, or the requested attempt, ends or Ctrl-C is pressed. Returns the job's
// last known state. Continues after a restart of the server: gives each byte exactly once.
Result<boost::json::value> follow(Contact& contact, const FollowRequest& request,
                                  const std::function<void(std::string_view)>& sink);

}  // namespace ym::cli
