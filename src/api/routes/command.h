// What handlers of commands have in common.
#pragma once

#include <functional>

#include "api/json/writer.h"
#include "api/routes/route.h"

namespace ym::api {

// Gives the command to control; `render` makes the answer from a success, on the
// connection's thread. A refusal becomes a problem.
void run_command(Context& context, Call call, Command command,
                 std::move_only_function<Response(Context&, CommandReply)> render);

// The job that the path names, or an answer that says why not.
std::expected<JobId, Response> job_of_path(Context& context, const Call& call);

// A body that says nothing: absent, or an empty JSON object.
std::optional<Response> refuse_content(const Request& request);

Response json_response(JsonWriter json, int status = 200);

// As it is now, attempts included.
Response job_response(Context& context, const Job& job, int status);

}  // namespace ym::api
