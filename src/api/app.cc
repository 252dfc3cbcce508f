#include "api/app.h"

#include <spdlog/spdlog.h>

#include "api/browser_session.h"
#include "api/http/media.h"
#include "api/http/target.h"
#include "api/openapi/document.h"
#include "api/problem.h"
#include "api/scim/answer.h"
#include "control/access/refusal.h"
#include "control/audit/request_audit.h"
#include "login/desk.h"

namespace ym::api {
namespace {

constexpr std::string_view kBehalfHeader = "YM-On-Behalf-Of";  // the handle of a user
constexpr std::array kOnlyOnce{std::string_view("Authorization"),
                               std::string_view("Content-Type"),
                               std::string_view("Accept"),
                               std::string_view("Idempotency-Key"),
                               std::string_view("Origin"),
                               std::string_view("Last-Event-ID"),
                               kBehalfHeader};

Response refusal(ErrorCode code, std::string message) { return to_response(Error{code, std::move(message)}); }

std::optional<Response> refuse_repeated(const Request& head) {
  for (const auto name : kOnlyOnce) {
    if (head.count(name) > 1) {
      return to_response(HttpFault::malformed, fmt::format("more than one {} header field", name));
    }
  }
  return std::nullopt;
}

bool is_acceptable(std::string_view accept, Produces produces) {
  switch (produces) {
    case Produces::json: return accepts(accept, kJson);
    case Produces::text: return accepts(accept, "text/plain");
    case Produces::json_or_events: return accepts(accept, kJson) || asks_for(accept, kEventStream);
    case Produces::page: return accepts(accept, "text/html");
    case Produces::scim: return accepts(accept, kScim) || accepts(accept, kJson);
  }
  return false;
}

std::optional<Response> refuse_body(const Request& head, Body body) {
  const auto type = head.header("Content-Type");
  const auto unsupported = [](std::string_view types) {
    return to_response(HttpFault::unsupported_media_type, fmt::format("send Content-Type: {}", types));
  };
  switch (body) {
    case Body::none:
      if (head.has_body) return to_response(HttpFault::malformed, "this request takes no body");
      break;
    case Body::json_if_present:
      if (head.has_body && !is_media_type(type, kJson)) return unsupported("application/json");
      break;
    case Body::yaml:
      if (!is_media_type(type, kYaml)) return unsupported("application/yaml");
      break;
    case Body::json:
      if (!is_media_type(type, kJson)) return unsupported("application/json");
      break;
    case Body::scim:
      if (!is_media_type(type, kScim) && !is_media_type(type, kJson)) return unsupported(kScim);
      break;
    case Body::form:
      if (!is_media_type(type, kForm)) return unsupported(kForm);
      break;
    case Body::jobs:
      if (!is_media_type(type, kJson) && !is_media_type(type, kYaml)) {
        return unsupported("application/json for one job, or application/yaml for one or more");
      }
      break;
  }
  return std::nullopt;
}

// Whether the path names the attempt of the token.
bool is_own(const Router::Match& match, const Caller& caller) {
  return caller.attempt && parse_job_id(match.parameters.at(kAttemptParameters[0])) == caller.attempt->job &&
         match.parameters.at(kAttemptParameters[1]) == std::to_string(caller.attempt->number);
}

// Where the route's permission is asked of objects, only the token's limits are known here.
Result<void> check_permission(Needs needs, const Access& access) {
  const auto permission = needs.permission();
  if (!permission) return {};
  if (needs.where() == Where::site) return require(access, *permission, {});
  if (!access.limits.permissions || access.limits.permissions->has(*permission)) return {};
  return limited_token(*permission);
}

std::optional<Response> refuse_access(const Router::Match& match, const Asker& asker) {
  const Needs needs = match.route->needs;
  if (asker.caller.kind == CallerKind::job) {
    if (needs.admits_attempts() && is_own(match, asker.caller)) return std::nullopt;
    return refusal(ErrorCode::forbidden,
                   "a job's token is valid only for the progress and the notice of its own attempt; a program that "
                   "needs more must have a token of its own (YM_TOKEN)");
  }
  if (needs.admits_attempts_only())
    return refusal(ErrorCode::forbidden, "only the job itself may do this, with its own token");
  const auto checked = check_permission(needs, asker.reads().access_of(asker.caller));
  return checked ? std::nullopt : std::optional(to_response(checked.error()));
}

std::shared_ptr<const RequestOrigin> origin_of(const Request& head) {
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  return std::make_shared<const RequestOrigin>(
      RequestOrigin{.source = head.client,
                    .agent = std::string(head.header("User-Agent")),
                    .request = std::string(head.header("X-Request-Id")),
                    .target = fmt::format("{} {}", to_string(head.method), path)});
}

std::string_view permission_of(const Router::Match& match) {
  const auto permission = match.route ? match.route->needs.permission() : std::nullopt;
  return permission ? to_string(*permission) : std::string_view{};
}

std::expected<UserGuard::Place, Response> answer_of(Result<UserGuard::Place> place) {
  if (!place) return std::unexpected(to_response(place.error()));
  return std::move(*place);
}

std::span<const StaticFile> files_to_serve() {
  static const std::array kFiles{
      StaticFile{.name = "openapi.json", .content_type = kJson, .content = openapi_document()}};
  return kFiles;
}

}  // namespace

App::App(BackendSwitch& backends, const HttpOptions& options, Feed::Post post, Metrics::CertificateNow certificate)
    : options_(options),
      guard_(options),
      reports_(kReportsPerSecond, kReportsPerSecond),
      jobs_(kRequestsOfAJob, 2 * kRequestsOfAJob),
      router_(all_routes()),
      files_(files_to_serve()),
      metrics_(std::move(certificate)),
      feed_(backends, std::move(post)),
      notices_(backends),
      desk_(options.desk ? options.desk : std::make_shared<login::Desk>()),
      context_{backends, feed_, notices_, metrics_, users_, files_, options_, *desk_, failed_logins_} {}

// Its threads use the context.
App::~App() { desk_->stop(); }

std::expected<Admitted, Refused> App::admit(Request& head) {
  auto target = parse_target(head.target);
  if (!target) return std::unexpected(Refused{{}, to_response(target.error())});
  head.path = std::move(target->path);
  head.query = std::move(target->query);
  // No page of a browser can reach a Unix socket.
  if (!head.account && !guard_.knows_host(head.header("Host"))) {
    return std::unexpected(Refused{{}, refusal(ErrorCode::forbidden, "this server does not answer to that host name")});
  }
  auto match = router_.find(head.method, head.path);
  Asker asker{.caller = {}, .backend = context_.backends.current()};
  const bool is_scim = !head.path.empty() && head.path.front() == "scim";
  const auto refuse = [&](Response response) {
    if (is_scim) response = scim::as_scim(std::move(response));
    return std::unexpected(Refused{match.pattern, std::move(response), asker.caller, permission_of(match)});
  };
  if (match.pattern.empty()) return refuse(refusal(ErrorCode::not_found, "there is nothing at this path"));
  if (match.route == nullptr) {
    auto response = to_response(HttpFault::method_not_allowed, fmt::format("allowed here: {}", match.allow));
    response.headers.push_back({"Allow", std::string(match.allow)});
    return refuse(std::move(response));
  }
  if (auto response = refuse_repeated(head)) return refuse(std::move(*response));
  asker.caller.origin = origin_of(head);
  if (auto response = refuse_unauthorized(head, match, asker)) return refuse(std::move(*response));
  auto place = take_place(match, asker);
  if (!place) return refuse(std::move(place.error()));
  if (!is_acceptable(head.header("Accept"), match.route->produces)) {
    return refuse(to_response(HttpFault::not_acceptable, "there is no answer of a type that Accept allows"));
  }
  if (auto response = refuse_body(head, match.route->body)) return refuse(std::move(*response));
  Caller caller = asker.caller;
  return Admitted{match.pattern,
                  [this, route = match.route, asker = std::move(asker), parameters = std::move(match.parameters)](
                      Request request, Responder responder) mutable {
                    route->serve(context_,
                                 {std::move(asker), std::move(request), std::move(parameters), std::move(responder)});
                  },
                  std::move(caller), permission_of(match), std::move(*place)};
}

Result<Caller> App::authenticate(const Request& head, const Reads& reads) {
  if (head.certificate && head.count("Authorization") == 0) {
    // A connection may outlive the certificate that opened it.
    if (head.certificate->not_after > reads.now()) return reads.authenticate_service(head.certificate->service);
    return fail(ErrorCode::unauthenticated, "the client's certificate has expired");
  }
  if (head.count("Authorization") == 0)
    if (const auto session = cookie_of(head, kSessionCookie); !session.empty()) {
      const bool reads_only = head.method == Method::get || head.method == Method::head;
      if (!reads_only)
        if (auto may = check_change(head, session, head.header(kCsrfHeader)); !may) return std::unexpected(may.error());
      return reads.authenticate(Secret(session));
    }
  const auto token = bearer_token(head);
  return token ? reads.authenticate(*token) : std::unexpected(token.error());
}

std::optional<Response> App::refuse_unauthorized(const Request& head, const Router::Match& match, Asker& asker) {
  const Route& route = *match.route;
  if (route.method != Method::get && Guard::is_cross_origin(head)) {
    return refusal(ErrorCode::forbidden, "a page of another site may not change anything here");
  }
  // Codes and sessions are made where changes are.
  if (route.needs.admits() == Admits::logins)
    if (auto reason = asker.reads().not_ready()) return busy(std::move(*reason));
  if (route.needs.is_open()) return std::nullopt;
  auto known = authenticate(head, asker.reads());
  if (!known) return to_response(known.error());
  known->origin = std::move(asker.caller.origin);
  asker.caller = std::move(*known);
  if (head.count(kBehalfHeader) > 0) {
    auto user = asker.reads().access().on_behalf(asker.caller, head.header(kBehalfHeader));
    if (!user) return to_response(user.error());
    asker.caller = std::move(*user);
  }
  return refuse_access(match, asker);
}

std::expected<UserGuard::Place, Response> App::take_place(const Router::Match& match, const Asker& asker) {
  const Caller& caller = asker.caller;
  if (match.route->needs.is_open()) return nullptr;
  if (match.route->needs.admits_attempts_only()) {
    // The tasks of a gang report at the same time. Each has a bucket of its own, so that none waits for another.
    const auto* task = match.parameters.find(kAttemptParameters[2]);
    const auto reporter =
        fmt::format("{}.{}.{}", to_string(caller.attempt->job), caller.attempt->number, task ? *task : "");
    if (reports_.admit(reporter, std::chrono::steady_clock::now())) return nullptr;
    return std::unexpected(refusal(ErrorCode::rate_limited,
                                   fmt::format("more than {} reports of an attempt in a second", kReportsPerSecond)));
  }
  // All tasks of a job have one name, so that a user's limits would be too few for a large gang.
  if (caller.kind == CallerKind::job) {
    if (jobs_.admit(caller.principal, std::chrono::steady_clock::now())) return nullptr;
    return std::unexpected(
        refusal(ErrorCode::rate_limited, fmt::format("more than {} requests of a job in a second", kRequestsOfAJob)));
  }
  const auto limits = asker.reads().user_limits();
  if (caller.gateway.empty()) return answer_of(users_.admit(caller.principal, limits));
  // A gateway takes nothing from its users' own limits, and has its own.
  auto own = users_.admit(caller.gateway, limits);
  if (!own) return answer_of(std::move(own));
  auto of_user = users_.admit(fmt::format("{} for {}", caller.gateway, caller.principal), limits);
  if (!of_user) return answer_of(std::move(of_user));
  return std::make_shared<std::pair<UserGuard::Place, UserGuard::Place>>(std::move(*own), std::move(*of_user));
}

// Without a valid token nothing is known of the caller but where it asked from.
void App::record_refusal(const Exchange& exchange) {
  if ((exchange.status != 401 && exchange.status != 403) || !exchange.caller || !exchange.caller->origin) return;
  const std::string_view verb = exchange.status == 401 || exchange.permission.empty() ? "login" : exchange.permission;
  auto record = audit_record(*exchange.caller, verb, exchange.caller->origin->target, AuditOutcome::refused);
  record.request.code = exchange.problem;
  context_.backends.current()->commands.note(std::move(record));
}

void App::finished(const Exchange& exchange) {
  metrics_.count(exchange);
  record_refusal(exchange);
  // A standby server answers every check of a load balancer like this.
  if (exchange.status >= 400 && exchange.route != "/readyz") refusals_.add(exchange);
  // Logs only the server's own words. Targets and header fields may have secrets.
  spdlog::debug("http {} {} {} {:.1f}ms from {}", to_string(exchange.method),
                exchange.route.empty() ? "-" : exchange.route, exchange.status, exchange.seconds * 1000, exchange.peer);
}

}  // namespace ym::api
