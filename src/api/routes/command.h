// Helpers that handlers of commands share.
#pragma once

#include <functional>

#include "api/json/writer.h"
#include "api/routes/route.h"
#include "base/shared.h"

namespace ym::api {

// An Asker that does not keep its server alive. The server may store it, for example in a reply that is pending.
class WeakAsker {
 public:
  explicit WeakAsker(const Asker& asker) : caller_(asker.caller), backend_(asker.backend) {}
  // Nothing: the server is gone.
  std::optional<Asker> lock() const {
    auto backend = backend_.lock();
    return backend ? std::optional(Asker{.caller = caller_, .backend = std::move(backend)}) : std::nullopt;
  }

 private:
  Caller caller_;
  std::weak_ptr<const Backend> backend_;
};

// The answer to a request to a server that stops.
Response busy_stopping();

// A callback for a server's reply. The server calls it on its own thread, which should not render JSON. So `make` makes
// the answer on the connection's thread.
template <class Reply, class Make>
auto answer_to(const Asker& asker, Responder responder, Make make) {
  return [weak = WeakAsker(asker), responder = std::move(responder), make = std::move(make)](Reply reply) mutable {
    auto still = weak.lock();
    if (!still) return responder.send(busy_stopping());
    responder.send_from([asker = std::move(*still), make = std::move(make), reply = std::move(reply)]() mutable {
      return make(asker, std::move(reply));
    });
  };
}

// Gives the command to control. After a success, `render` makes the answer on the connection's thread. A refusal
// becomes a problem. `document`: the YAML to which the refusal's pointers refer.
void run_command(Call call, Command command, std::move_only_function<Response(const Asker&, CommandReply)> render,
                 std::string document = {});

// The job that the path names, or an answer with the reason why there is none.
std::expected<JobId, Response> job_of_path(const Call& call);

// The Idempotency-Key, if there is one; or an answer that says what is wrong with it.
std::expected<std::optional<std::string>, Response> idempotency_key(const Request& request);

// Refuses a body with content. A body may be absent or an empty JSON object.
std::optional<Response> refuse_content(const Request& request);

// False: answer 202. The command was accepted, but the job has not reached its new state.
bool is_done(const Job& job);

// Writes the array of all jobs of a command.
void write_items(JsonWriter& json, const Asker& asker, const std::vector<Shared<Job>>& jobs, bool now);
// All jobs of a command, as {"items": [...]}. `now`: in their present state, with attempts.
Response items_response(const Asker& asker, const std::vector<Shared<Job>>& jobs, bool now, int status);

Response json_response(JsonWriter json, int status = 200);

// After this many bytes of an answer, further jobs come without their specs: the members of an array share a spec that
// may be large, and the size of an answer must be bounded.
inline constexpr std::size_t kSpecBytes = std::size_t{4} << 20;
// One of several jobs of an answer. `more`: as for write_job.
void write_item(JsonWriter& json, const Asker& asker, const Job& job, bool now, std::span<const std::string> more = {});

// The job in its present state, with attempts.
Response job_response(const Asker& asker, const Job& job, int status);

}  // namespace ym::api
