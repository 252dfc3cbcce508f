#include "api/openapi/answers.h"
#include "api/problem.h"
#include "model/access/roles.h"

namespace ym::api::openapi {
namespace {

Schema role_word() { return words({kAdminRole, kUserRole, "viewer"}); }

Schema event() {
  return members({
      {"seq", whole(1)},
      {"type", text(), "For example job.submitted, attempt.ended."},
      {"v", whole(1, 1)},
      {"time", time()},
      {"actor", text()},
      {"reason", text()},
      {"job", or_null(text())},
      {"attempt", or_null(whole())},
      {"data", any_object(),
       "Its members depend on the type. "
       "attempt.delayed: message (what the job's cluster waits for). "
       "attempt.progress: step, total_steps, metrics, checkpoint (Checkpoint or null), completed. "
       "attempt.stopping: cause, stop_by, yields_to, estimated_lost_gpu_seconds (here lost_gpu_seconds is the same), "
       "preemption (its rule, or null), moves (there is another place for the job), borrowed (a more urgent job "
       "borrows "
       "its place), resizes_to (number of nodes with which an elastic job continues; null: it waits). "
       "hold.placed: hold (Hold). "
       "checkpoint.skipped: checkpoint (Checkpoint), further_losses (what earlier attempts lose in addition without "
       "it: "
       "attempt, lost_gpu_seconds). "
       "attempt.ended: ended_by, exit_code, signal, message, lost_gpu_seconds (work to repeat because of it, or null). "
       "job.predicted: predicted_run_time (PredictedRunTime). "
       "reservation.set: reservation (Reservation). "
       "policy.set: policy (the settings of scheduling and preemption that are set). "
       "principal.set, token.set, role.set, binding.set, project.set, provisioned_group.set, history_segment.set, "
       "erasure.set: principal, token, role, binding, project, provisioned_group, history_segment, erasure."},
  });
}

Schema problem() {
  const Schema error = members({
      {"pointer", text(),
       "A JSON pointer into the body (with several documents: /n/... in document n), or /query/NAME or /header/NAME."},
      {"message", text()},
  });
  return members({
      {"type", text()},
      {"title", text()},
      {"status", whole()},
      {"code", words(problem_codes())},
      {"detail", text()},
      {"errors", list(error)},
  });
}

Schema scopes() { return list(text()); }

Schema token_row() {
  return members({
      {"id", text(), "Names the token. It is not the secret."},
      {"principal", text(), "Whose token it is. Jobs that are submitted with it have this user."},
      {"scopes", scopes(),
       "Roles, permissions and scopes that limit the token. A right has to be in one of the roles or permissions, if "
       "there are any, and within one of the scopes of each kind, if there are any."},
      {"created_at", time()},
      {"expires_at", or_null(time())},
      {"created_by", text()},
      {"note", text()},
      {"kind", one_of<TokenKind>(), "Whether a command made it, or a login."},
      {"last_used_at", or_null(time()), "To about an hour after a restart of the server."},
  });
}

Schema token() { return extended(token_row(), {{"role", role_word(), "In one word what its scopes allow."}}); }

Schema token_request() {
  return closed(members({
      {"principal", text({.least = 1, .most = 64, .pattern = "^[A-Za-z0-9._@+-]+$"}),
       "Whose token it is; it is made if there is none. Left out: the caller.", kOptional},
      {"service", flag(), "A principal that is made is a service account.", kOptional},
      {"role", role_word(), "One more of the scopes. `admin` limits nothing.", kOptional},
      {"scopes", scopes(), "As in Token. Left out: those of the caller's token, if it is for the caller.", kOptional},
      {"ttl", text(), "How long it is valid, for example 30d.", kOptional},
      {"note", text({.most = 200}), "What it is for.", kOptional},
  }));
}

Schema caller() {
  return members({
      {"user", text(), "The principal: `user` of the jobs that it submits."},
      {"role", role_word(), "In one word what the token allows."},
      {"token", or_null(token_row()), "The token of the request; null if it was revoked meanwhile."},
      {"bindings", list(ref("Binding")), "That give the principal a role."},
  });
}

}  // namespace

std::vector<Named> event_answers() { return {{"Event", event()}, {"EventList", page_of("Event", whole())}}; }

std::vector<Named> token_answers() {
  return {
      {"Token", token()},
      {"TokenList", page_of("Token")},
      {"NewToken", extended(token(), {{"token", text(), "The bearer token itself."}})},
      {"TokenRevocation", extended(token(), {{"revoked", flag()}})},
      {"TokenRequest", token_request()},
  };
}

std::vector<Named> server_answers() {
  return {
      {"Status", members({{"status", text()}})},
      {"Caller", caller()},
      {"Problem", problem(), "RFC 9457. `code` is stable."},
  };
}

}  // namespace ym::api::openapi
