// Submits jobs, for `ym submit` and `ym run`.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <string>

#include "cli/session.h"

namespace ym::cli {

// Makes 128 random bits as text.
std::string new_idempotency_key();

// Posts a request that creates jobs. Repeats it while the server does not answer, and reports that once. If no answer
// comes, the error says whether jobs may have been created, and then adds `advice`. Precondition: the body has an
// idempotency key.
Result<boost::json::value> post_jobs(Session& session, const std::string& target, const PostBody& body,
                                     const std::string& advice = "look with `ym ps`");

// Prints the server's warnings about these jobs on standard error, each sentence once.
void say_warnings(Session& session, const boost::json::array& jobs);

// Replaces the names of the error's fields by the words of the command line.
Error renamed(Error error, const std::function<std::string(const std::string& pointer)>& name);

}  // namespace ym::cli
