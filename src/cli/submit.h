// Submitting, as `ym submit` and `ym run` do it.
#pragma once

#include <boost/json/value.hpp>
#include <string>

#include "cli/session.h"

namespace ym::cli {

// 128 random bits as text.
std::string new_idempotency_key();

// A file's content, or standard input for "-"; at most 1 MiB.
Result<std::string> read_input(Session& session, const std::string& path);

// Posts to the jobs list and tries again while no answer comes. Precondition: the body
// has an idempotency key.
Result<boost::json::value> post_jobs(Session& session, const std::string& target, const PostBody& body);

}  // namespace ym::cli
