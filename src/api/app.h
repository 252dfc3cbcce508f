// App: from a request to the route that serves it, past everything that may refuse it.
#pragma once

#include "api/feed.h"
#include "api/guard.h"
#include "api/http/handler.h"
#include "api/http/options.h"
#include "api/metrics.h"
#include "api/notice_board.h"
#include "api/rate_limit.h"
#include "api/refusal_log.h"
#include "api/router.h"
#include "api/static_files.h"
#include "control/serve/backend_switch.h"

namespace ym::api {

class App final : public Handler {
 public:
  // `backends` must outlive it, and have been set; `post` runs tasks on threads of the API.
  App(BackendSwitch& backends, const HttpOptions& options, Feed::Post post);

  // Reports of its progress that an attempt may send in a second.
  static constexpr std::int64_t kReportsPerSecond = 10;

  // In this order: a well-formed target (400), a host that is ours (403), a route
  // (404), with this method (405), not from a stranger's page (403), a valid token
  // (401), the right role (403), a rate (429), an acceptable type (406), a body of the
  // right type (415) where one belongs (400).
  std::expected<Admitted, Refused> admit(Request& head) override;
  void finished(const Exchange& exchange) override;

 private:
  // Finds out who asks.
  std::optional<Response> refuse_stranger(const Request& head, const Router::Match& match, Asker& asker);
  std::optional<Response> refuse_haste(const Router::Match& match, const Caller& caller);

  const HttpOptions options_;
  Guard guard_;
  RateLimit rate_;
  RateLimit reports_;
  RefusalLog refusals_;
  Router router_;
  StaticFiles files_;
  Metrics metrics_;
  Feed feed_;
  NoticeBoard notices_;
  Context context_;
};

}  // namespace ym::api
