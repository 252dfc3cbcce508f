// A route: a method and pattern, what it needs, and the handler.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/feed.h"
#include "api/http/handler.h"
#include "api/http/options.h"
#include "api/path_parameters.h"
#include "control/serve/backend_switch.h"

namespace ym::login {
class Desk;
}

namespace ym::api {

class Metrics;
class RateLimit;
class Notifier;
class StaticFiles;
class UserGuard;

// Objects that handlers use. They outlive every request.
struct Context {
  BackendSwitch& backends;  // for streams and polls, which outlast a takeover; all else uses the Asker's
  Feed& feed;
  Notifier& notices;
  Metrics& metrics;
  UserGuard& users;
  const StaticFiles& files;
  const HttpOptions& options;
  login::Desk& desk;
  RateLimit& failed_logins;  // by address
};

// The caller, and the backend that serves the whole request, also if another server leads meanwhile.
struct Asker {
  Caller caller;  // empty on open routes
  std::shared_ptr<const Backend> backend;

  const Reads& reads() const { return backend->reads; }
};

// A request that passed the checks.
struct Call : Asker {
  Request request;
  PathParameters parameters;
  Responder responder;

  // The value in the path for "{name}". Precondition: the route's pattern has the parameter. So a wrong name aborts at
  // the route's first request.
  const std::string& parameter(std::string_view name) const { return parameters.at(name); }
};

// Records that the caller read what belongs to `owner`: a specification (jobs_get) or a log (jobs_logs). Of its own
// nothing.
void record_read(const Asker& asker, Permission permission, std::string_view owner, std::string object);

// Whose request a route admits.
enum class Admits : std::uint8_t {
  anyone,      // without a token
  logins,      // without a token: the handler checks the proof in the request
  principals,  // with a valid token
  attempt,     // user code of the attempt in the path, with the attempt's token
  attempt_or_principals,
  task  // the task agent of a remote task of the attempt, with the attempt's token
};

// Where the permission of a route is asked.
enum class Where : std::uint8_t {
  site,   // of the whole site, before the request is read
  object  // of the objects that the request is about, where they are looked up: Reads or the command asks
};

// What a route needs. A principal that lacks the permission is refused. Each route says it: there is no default.
class Needs {
 public:
  static constexpr Needs nothing() { return {Admits::anyone, std::nullopt, Where::site}; }
  static constexpr Needs proof() { return {Admits::logins, std::nullopt, Where::site}; }
  static constexpr Needs token() { return {Admits::principals, std::nullopt, Where::site}; }
  static constexpr Needs attempt() { return {Admits::attempt, std::nullopt, Where::site}; }
  static constexpr Needs task() { return {Admits::task, std::nullopt, Where::site}; }
  static constexpr Needs at_site(Permission permission) { return {Admits::principals, permission, Where::site}; }
  static constexpr Needs at_object(Permission permission) { return {Admits::principals, permission, Where::object}; }
  static constexpr Needs attempt_or(Permission permission) {
    return {Admits::attempt_or_principals, permission, Where::object};
  }

  constexpr Admits admits() const { return admits_; }
  constexpr std::optional<Permission> permission() const { return permission_; }
  constexpr Where where() const { return where_; }

  constexpr bool is_open() const { return admits_ == Admits::anyone || admits_ == Admits::logins; }
  constexpr bool admits_attempts() const { return !is_open() && admits_ != Admits::principals; }
  constexpr bool admits_attempts_only() const { return admits_ == Admits::attempt || admits_ == Admits::task; }

 private:
  constexpr Needs(Admits admits, std::optional<Permission> permission, Where where)
      : admits_(admits), permission_(permission), where_(where) {}

  Admits admits_;
  std::optional<Permission> permission_;
  Where where_;
};

// The names of the path's parameters for the attempt, and for its task.
inline constexpr std::array<std::string_view, 3> kAttemptParameters{"id", "n", "t"};

// Those of them that a route's pattern must have.
constexpr std::span<const std::string_view> attempt_parameters(Needs needs) {
  const std::span all(kAttemptParameters);
  return all.first(needs.admits() == Admits::task ? 3 : needs.admits_attempts() ? 2 : 0);
}

enum class Body : std::uint8_t {
  none,
  jobs,             // application/json or application/yaml
  yaml,             // application/yaml
  json,             // application/json
  json_if_present,  // application/json, or nothing
  form,             // application/x-www-form-urlencoded
  scim              // application/scim+json, or application/json
};

inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kYaml = "application/yaml";
inline constexpr std::string_view kScim = "application/scim+json";
inline constexpr std::string_view kForm = "application/x-www-form-urlencoded";
inline constexpr std::string_view kText = "text/plain; charset=utf-8";
inline constexpr std::string_view kEventStream = "text/event-stream";

enum class Produces : std::uint8_t { json, text, json_or_events, page, scim };

struct Route {
  Method method = Method::get;
  std::string_view pattern;  // "/api/v1/jobs/{id}", as router.h takes it
  Needs needs;
  Body body = Body::none;
  Produces produces = Produces::json;
  void (*serve)(Context& context, Call call) = nullptr;

  // Whether the OpenAPI document describes it. Logins follow the rules of OAuth, SCIM has a standard of its own, and
  // pages are for people.
  constexpr bool is_described() const { return needs.admits() != Admits::logins && produces != Produces::scim; }
};

// All routes: a path that is not in the table does not exist. Every GET also answers HEAD.
std::span<const Route> all_routes();

// The handlers in the table; each is in the file of its object.
void submit_jobs(Context& context, Call call);
void list_jobs(Context& context, Call call);
void get_job(Context& context, Call call);
void explain_job(Context& context, Call call);
void cancel_job(Context& context, Call call);
void cancel_jobs(Context& context, Call call);
void hold_job(Context& context, Call call);
void release_job(Context& context, Call call);
void retry_job(Context& context, Call call);
void report_progress(Context& context, Call call);
void await_notice(Context& context, Call call);
void report_task(Context& context, Call call);
void await_task_orders(Context& context, Call call);
void list_job_events(Context& context, Call call);
void read_job_log(Context& context, Call call);
void list_events(Context& context, Call call);
void list_queues(Context& context, Call call);
void apply_queues(Context& context, Call call);
void remove_queue(Context& context, Call call);
void hold_queue(Context& context, Call call);
void drain_queue(Context& context, Call call);
void resume_queue(Context& context, Call call);
void get_policy(Context& context, Call call);
void apply_policy(Context& context, Call call);
void reset_policy(Context& context, Call call);
void compare_policy(Context& context, Call call);
void list_reservations(Context& context, Call call);
void create_reservation(Context& context, Call call);
void remove_reservation(Context& context, Call call);
void list_tokens(Context& context, Call call);
void create_token(Context& context, Call call);
void revoke_token(Context& context, Call call);
void rotate_admin_token(Context& context, Call call);
void list_roles(Context& context, Call call);
void set_role(Context& context, Call call);
void remove_role(Context& context, Call call);
void list_bindings(Context& context, Call call);
void bind_role(Context& context, Call call);
void unbind_role(Context& context, Call call);
void list_projects(Context& context, Call call);
void set_project(Context& context, Call call);
void remove_project(Context& context, Call call);
void list_identities(Context& context, Call call);
void change_identity(Context& context, Call call);
void check_access(Context& context, Call call);
void list_holders(Context& context, Call call);
void list_denials(Context& context, Call call);
void list_audit(Context& context, Call call);
void verify_audit(Context& context, Call call);
void list_nodes(Context& context, Call call);
void drain_node(Context& context, Call call);
void undrain_node(Context& context, Call call);
void get_root(Context& context, Call call);
void get_openapi(Context& context, Call call);
void get_metrics(Context& context, Call call);
void get_health(Context& context, Call call);
void get_readiness(Context& context, Call call);
void get_caller(Context& context, Call call);
void get_authorization_server(Context& context, Call call);
void give_token(Context& context, Call call);
void begin_device(Context& context, Call call);
void revoke_login(Context& context, Call call);
void show_authorization(Context& context, Call call);
void decide_authorization(Context& context, Call call);
void show_device(Context& context, Call call);
void decide_device(Context& context, Call call);
void begin_login(Context& context, Call call);
void finish_login(Context& context, Call call);
void show_logout(Context& context, Call call);
void end_session(Context& context, Call call);
void end_logins(Context& context, Call call);
void list_scim_users(Context& context, Call call);
void create_scim_user(Context& context, Call call);
void get_scim_user(Context& context, Call call);
void replace_scim_user(Context& context, Call call);
void patch_scim_user(Context& context, Call call);
void remove_scim_user(Context& context, Call call);
void list_scim_groups(Context& context, Call call);
void create_scim_group(Context& context, Call call);
void get_scim_group(Context& context, Call call);
void replace_scim_group(Context& context, Call call);
void patch_scim_group(Context& context, Call call);
void remove_scim_group(Context& context, Call call);
void get_scim_features(Context& context, Call call);
void list_scim_resource_types(Context& context, Call call);
void get_scim_resource_type(Context& context, Call call);
void list_scim_schemas(Context& context, Call call);
void get_scim_schema(Context& context, Call call);

}  // namespace ym::api
