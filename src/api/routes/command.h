// What handlers of commands have in common.
#pragma once

#include <functional>

#include "api/json/writer.h"
#include "api/routes/route.h"

namespace ym::api {

// An asker in what its server keeps, such as a reply that is to come: it does not keep the server in turn.
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

// Of who asks a server that goes.
Response busy_stopping();

// What a server is to call with its reply, on a thread of its own, which has better things to do than to write JSON:
// `make` makes the answer from it on the connection's.
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

// Gives the command to control; `render` makes the answer from a success, on the
// connection's thread. A refusal becomes a problem. `document`: the YAML that its pointers are of.
void run_command(Call call, Command command, std::move_only_function<Response(const Asker&, CommandReply)> render,
                 std::string document = {});

// The job that the path names, or an answer that says why not.
std::expected<JobId, Response> job_of_path(const Call& call);

// The Idempotency-Key, if there is one; or an answer that says what is wrong with it.
std::expected<std::optional<std::string>, Response> idempotency_key(const Request& request);

// A body that says nothing: absent, or an empty JSON object.
std::optional<Response> refuse_content(const Request& request);

// 202: it was accepted, and the job is still on its way there.
bool is_done(const Job& job);

// An array of all jobs of a command.
void write_items(JsonWriter& json, const Asker& asker, const std::vector<Job>& jobs, bool now);
// All jobs of a command, as {"items": [...]}; `now`: as they are by now, with attempts.
Response items_response(const Asker& asker, const std::vector<Job>& jobs, bool now, int status);

Response json_response(JsonWriter json, int status = 200);

// Once an answer is this long, its further jobs come without their specs: the members
// of an array share one that may be large, and an answer has to stay bounded.
inline constexpr std::size_t kSpecBytes = std::size_t{4} << 20;
// One of several jobs of an answer. `more`: as write_job has it.
void write_item(JsonWriter& json, const Asker& asker, const Job& job, bool now, std::span<const std::string> more = {});

// As it is now, attempts included.
Response job_response(const Asker& asker, const Job& job, int status);

}  // namespace ym::api
