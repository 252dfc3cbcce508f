// Submitting, as `ym submit` and `ym run` do it.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <functional>
#include <string>

#include "cli/session.h"

namespace ym::cli {

// 128 random bits as text.
std::string new_idempotency_key();

// Posts what makes jobs, and tries again while no answer comes; says so after the first
// time. An error without any answer tells whether something may have been made, and then
// `advice`. Precondition: the body has an idempotency key.
Result<boost::json::value> post_jobs(Session& session, const std::string& target, const PostBody& body,
                                     const std::string& advice = "look with `ym ps`");

// What the server warns of in these jobs, each sentence once, on standard error.
void say_warnings(Session& session, const boost::json::array& jobs);

// The error with other names for its fields, as whoever typed the words knows them.
Error renamed(Error error, const std::function<std::string(const std::string& pointer)>& name);

}  // namespace ym::cli
