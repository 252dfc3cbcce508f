// App: finds the route of a request, after all checks that may refuse it.
#pragma once

#include "api/feed.h"
#include "api/guard.h"
#include "api/http/handler.h"
#include "api/http/options.h"
#include "api/metrics.h"
#include "api/notifier.h"
#include "api/rate_limit.h"
#include "api/refusal_log.h"
#include "api/router.h"
#include "api/static_files.h"
#include "api/user_guard.h"
#include "control/serve/backend_switch.h"

namespace ym::api {

class App final : public Handler {
 public:
  // `backends` must be set, and outlive it. `post` runs tasks on threads of the API.
  ~App() override;
  App(BackendSwitch& backends, const HttpOptions& options, Feed::Post post, Metrics::CertificateNow certificate);

  // Most progress reports that an attempt may send in a second.
  static constexpr std::int64_t kReportsPerSecond = 10;
  // Most other requests of a job in a second; they ask for notices.
  static constexpr std::int64_t kRequestsOfAJob = 20'000;

  // Checks in this order: the target is well-formed (400), the host name is the server's (403), there is a route (404)
  // with this method (405), the request is not from a page of another site (403), the token is valid (401) and has the
  // role (403), the rate is not exceeded (429), a type is acceptable (406), the body has the right type (415) and is
  // allowed (400).
  std::expected<Admitted, Refused> admit(Request& head) override;
  void finished(const Exchange& exchange) override;

 private:
  // By the token; without one by the client's certificate.
  static Result<Caller> authenticate(const Request& head, const Reads& reads);
  // Authenticates the caller and sets `asker`. Returns the refusal, if there is one.
  std::optional<Response> refuse_unauthorized(const Request& head, const Router::Match& match, Asker& asker);
  // A refusal for want of a token or a right leaves a record.
  void record_refusal(const Exchange& exchange);
  // The place of a request that the caller's limits allow; null: it needs none.
  std::expected<UserGuard::Place, Response> take_place(const Router::Match& match, const Asker& asker);

  const HttpOptions options_;
  Guard guard_;
  UserGuard users_;
  RateLimit reports_, jobs_;
  RefusalLog refusals_;
  Router router_;
  StaticFiles files_;
  Metrics metrics_;
  Feed feed_;
  Notifier notices_;
  RateLimit failed_logins_{1, 30};
  std::shared_ptr<login::Desk> desk_;  // never null
  Context context_;
};

}  // namespace ym::api
