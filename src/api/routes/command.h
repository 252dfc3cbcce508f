// What handlers of commands have in common.
#pragma once

#include <functional>

#include "api/json/writer.h"
#include "api/routes/route.h"

namespace ym::api {

// Gives the command to control; `render` makes the answer from a success, on the
// connection's thread. A refusal becomes a problem. `document`: the YAML that its pointers are of.
void run_command(Context& context, Call call, Command command,
                 std::move_only_function<Response(Context&, CommandReply)> render, std::string document = {});

// The job that the path names, or an answer that says why not.
std::expected<JobId, Response> job_of_path(Context& context, const Call& call);

// The Idempotency-Key, if there is one; or an answer that says what is wrong with it.
std::expected<std::optional<std::string>, Response> idempotency_key(const Request& request);

// A body that says nothing: absent, or an empty JSON object.
std::optional<Response> refuse_content(const Request& request);

// 202: it was accepted, and the job is still on its way there.
bool is_done(const Job& job);

// An array of all jobs of a command.
void write_items(JsonWriter& json, Context& context, const std::vector<Job>& jobs, bool now);
// All jobs of a command, as {"items": [...]}; `now`: as they are by now, with attempts.
Response items_response(Context& context, const std::vector<Job>& jobs, bool now, int status);

Response json_response(JsonWriter json, int status = 200);

// Once an answer is this long, its further jobs come without their specs: the members
// of an array share one that may be large, and an answer has to stay bounded.
inline constexpr std::size_t kSpecBytes = std::size_t{4} << 20;
// One of several jobs of an answer. `more`: as write_job has it.
void write_item(JsonWriter& json, Context& context, const Job& job, bool now, std::span<const std::string> more = {});

// As it is now, attempts included.
Response job_response(Context& context, const Job& job, int status);

}  // namespace ym::api
