#include "api/routes/route.h"

namespace ym::api {
namespace {

using enum Method;
using enum Permission;

constexpr auto at_site = Needs::at_site, at_object = Needs::at_object;

constexpr std::array kRoutes{
    Route{get, "/", Needs::nothing(), Body::none, Produces::text, get_root},
    Route{get, "/healthz", Needs::nothing(), Body::none, Produces::json, get_health},
    Route{get, "/readyz", Needs::nothing(), Body::none, Produces::json, get_readiness},
    Route{get, "/metrics", at_site(metrics_read), Body::none, Produces::text, get_metrics},
    Route{get, "/api/v1/openapi.json", Needs::nothing(), Body::none, Produces::json, get_openapi},
    Route{get, "/api/v1/whoami", Needs::token(), Body::none, Produces::json, get_caller},
    Route{get, "/api/v1/jobs", at_object(jobs_list), Body::none, Produces::json, list_jobs},
    Route{post, "/api/v1/jobs", at_object(jobs_create), Body::jobs, Produces::json, submit_jobs},
    Route{post, "/api/v1/jobs:cancel", at_object(jobs_cancel), Body::json, Produces::json, cancel_jobs},
    Route{get, "/api/v1/jobs/{id}", at_object(jobs_list), Body::none, Produces::json, get_job},
    Route{get, "/api/v1/jobs/{id}/events", at_object(jobs_list), Body::none, Produces::json_or_events, list_job_events},
    Route{get, "/api/v1/jobs/{id}/logs", at_object(jobs_logs), Body::none, Produces::text, read_job_log},
    Route{get, "/api/v1/jobs/{id}/why", at_object(jobs_list), Body::none, Produces::json, explain_job},
    Route{post, "/api/v1/jobs/{id}/cancel", at_object(jobs_cancel), Body::json_if_present, Produces::json, cancel_job},
    Route{post, "/api/v1/jobs/{id}/hold", at_object(jobs_hold), Body::json_if_present, Produces::json, hold_job},
    Route{post, "/api/v1/jobs/{id}/release", at_object(jobs_hold), Body::json_if_present, Produces::json, release_job},
    Route{post, "/api/v1/jobs/{id}/retry", at_object(jobs_retry), Body::json_if_present, Produces::json, retry_job},
    Route{post, "/api/v1/jobs/{id}/attempts/{n}/progress", Needs::attempt(), Body::json, Produces::json,
          report_progress},
    Route{get, "/api/v1/jobs/{id}/attempts/{n}/notice", Needs::attempt_or(jobs_get), Body::none, Produces::json,
          await_notice},
    Route{post, "/api/v1/jobs/{id}/attempts/{n}/tasks/{t}/report", Needs::task(), Body::json, Produces::json,
          report_task},
    Route{get, "/api/v1/jobs/{id}/attempts/{n}/tasks/{t}/orders", Needs::task(), Body::none, Produces::json,
          await_task_orders},
    Route{get, "/api/v1/queues", at_object(queues_get), Body::none, Produces::json, list_queues},
    Route{post, "/api/v1/queues", at_object(queues_edit), Body::yaml, Produces::json, apply_queues},
    Route{del, "/api/v1/queues/{id}", at_object(queues_edit), Body::none, Produces::json, remove_queue},
    Route{post, "/api/v1/queues/{id}/hold", at_object(queues_stop), Body::json_if_present, Produces::json, hold_queue},
    Route{post, "/api/v1/queues/{id}/drain", at_object(queues_stop), Body::json_if_present, Produces::json,
          drain_queue},
    Route{post, "/api/v1/queues/{id}/resume", at_object(queues_stop), Body::json_if_present, Produces::json,
          resume_queue},
    Route{get, "/api/v1/policy", at_site(policies_get), Body::none, Produces::json, get_policy},
    Route{post, "/api/v1/policy", at_site(policies_edit), Body::yaml, Produces::json, apply_policy},
    Route{del, "/api/v1/policy", at_site(policies_edit), Body::none, Produces::json, reset_policy},
    Route{post, "/api/v1/policy/diff", at_site(policies_edit), Body::yaml, Produces::json, compare_policy},
    Route{get, "/api/v1/reservations", at_object(reservations_get), Body::none, Produces::json, list_reservations},
    Route{post, "/api/v1/reservations", at_site(reservations_edit), Body::json, Produces::json, create_reservation},
    Route{del, "/api/v1/reservations/{id}", at_site(reservations_edit), Body::none, Produces::json, remove_reservation},
    Route{get, "/api/v1/tokens", Needs::token(), Body::none, Produces::json, list_tokens},
    Route{post, "/api/v1/tokens", Needs::token(), Body::json, Produces::json, create_token},
    Route{del, "/api/v1/tokens/{id}", Needs::token(), Body::none, Produces::json, revoke_token},
    Route{post, "/api/v1/tokens/admin/rotate", at_site(tokens_create), Body::json_if_present, Produces::json,
          rotate_admin_token},
    Route{get, "/api/v1/roles", Needs::token(), Body::none, Produces::json, list_roles},
    Route{post, "/api/v1/roles", at_site(roles_edit), Body::json, Produces::json, set_role},
    Route{del, "/api/v1/roles/{id}", at_site(roles_edit), Body::none, Produces::json, remove_role},
    Route{get, "/api/v1/bindings", Needs::token(), Body::none, Produces::json, list_bindings},
    Route{post, "/api/v1/bindings", at_object(roles_bind), Body::json, Produces::json, bind_role},
    Route{del, "/api/v1/bindings/{id}", at_object(roles_bind), Body::none, Produces::json, unbind_role},
    Route{get, "/api/v1/projects", at_object(projects_get), Body::none, Produces::json, list_projects},
    Route{post, "/api/v1/projects", at_object(projects_edit), Body::json, Produces::json, set_project},
    Route{del, "/api/v1/projects/{id}", at_site(projects_edit), Body::none, Produces::json, remove_project},
    Route{get, "/api/v1/identities", Needs::token(), Body::none, Produces::json, list_identities},
    Route{post, "/api/v1/identities/{id}", at_site(identities_edit), Body::json, Produces::json, change_identity},
    Route{post, "/api/v1/access/check", Needs::token(), Body::json, Produces::json, check_access},
    Route{post, "/api/v1/access/holders", Needs::token(), Body::json, Produces::json, list_holders},
    Route{get, "/api/v1/access/denials", at_site(roles_get), Body::none, Produces::json, list_denials},
    Route{get, "/api/v1/audit", at_site(audit_read), Body::none, Produces::json, list_audit},
    Route{get, "/api/v1/audit/verification", at_site(audit_read), Body::none, Produces::json, verify_audit},
    Route{get, "/api/v1/nodes", at_object(nodes_get), Body::none, Produces::json, list_nodes},
    Route{post, "/api/v1/nodes/{id}/drain", at_object(nodes_drain), Body::json_if_present, Produces::json, drain_node},
    Route{post, "/api/v1/nodes/{id}/undrain", at_object(nodes_drain), Body::json_if_present, Produces::json,
          undrain_node},
    Route{get, "/api/v1/events", at_object(jobs_list), Body::none, Produces::json_or_events, list_events},
};

}  // namespace

std::span<const Route> all_routes() { return kRoutes; }

}  // namespace ym::api
