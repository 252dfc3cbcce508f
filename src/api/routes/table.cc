#include "api/routes/route.h"

namespace ym::api {
namespace {

using enum Method;
using enum Access;

constexpr std::array kRoutes{
    Route{get, "/", open, Body::none, Produces::text, get_root},
    Route{get, "/healthz", open, Body::none, Produces::json, get_health},
    Route{get, "/readyz", open, Body::none, Produces::json, get_readiness},
    Route{get, "/metrics", user, Body::none, Produces::text, get_metrics},
    Route{get, "/api/v1/openapi.json", open, Body::none, Produces::json, get_openapi},
    Route{get, "/api/v1/whoami", user, Body::none, Produces::json, get_caller},
    Route{get, "/api/v1/jobs", user, Body::none, Produces::json, list_jobs},
    Route{post, "/api/v1/jobs", user, Body::jobs, Produces::json, submit_jobs},
    Route{post, "/api/v1/jobs:cancel", user, Body::json, Produces::json, cancel_jobs},
    Route{get, "/api/v1/jobs/{id}", user, Body::none, Produces::json, get_job},
    Route{get, "/api/v1/jobs/{id}/events", user, Body::none, Produces::json_or_events, list_job_events},
    Route{get, "/api/v1/jobs/{id}/logs", user, Body::none, Produces::text, read_job_log},
    Route{get, "/api/v1/jobs/{id}/why", user, Body::none, Produces::json, explain_job},
    Route{post, "/api/v1/jobs/{id}/cancel", user, Body::json_if_present, Produces::json, cancel_job},
    Route{post, "/api/v1/jobs/{id}/hold", user, Body::json_if_present, Produces::json, hold_job},
    Route{post, "/api/v1/jobs/{id}/release", user, Body::json_if_present, Produces::json, release_job},
    Route{post, "/api/v1/jobs/{id}/retry", user, Body::json_if_present, Produces::json, retry_job},
    Route{post, "/api/v1/jobs/{id}/attempts/{n}/progress", attempt, Body::json, Produces::json, report_progress},
    Route{get, "/api/v1/jobs/{id}/attempts/{n}/notice", attempt_or_admin, Body::none, Produces::json, await_notice},
    Route{post, "/api/v1/jobs/{id}/attempts/{n}/tasks/{t}/report", task, Body::json, Produces::json, report_task},
    Route{get, "/api/v1/jobs/{id}/attempts/{n}/tasks/{t}/orders", task, Body::none, Produces::json, await_task_orders},
    Route{get, "/api/v1/queues", user, Body::none, Produces::json, list_queues},
    Route{post, "/api/v1/queues", admin, Body::yaml, Produces::json, apply_queues},
    Route{del, "/api/v1/queues/{id}", admin, Body::none, Produces::json, remove_queue},
    Route{post, "/api/v1/queues/{id}/hold", admin, Body::json_if_present, Produces::json, hold_queue},
    Route{post, "/api/v1/queues/{id}/drain", admin, Body::json_if_present, Produces::json, drain_queue},
    Route{post, "/api/v1/queues/{id}/resume", admin, Body::json_if_present, Produces::json, resume_queue},
    Route{get, "/api/v1/policy", user, Body::none, Produces::json, get_policy},
    Route{post, "/api/v1/policy", admin, Body::yaml, Produces::json, apply_policy},
    Route{del, "/api/v1/policy", admin, Body::none, Produces::json, reset_policy},
    Route{post, "/api/v1/policy/diff", admin, Body::yaml, Produces::json, compare_policy},
    Route{get, "/api/v1/reservations", user, Body::none, Produces::json, list_reservations},
    Route{post, "/api/v1/reservations", admin, Body::json, Produces::json, create_reservation},
    Route{del, "/api/v1/reservations/{id}", admin, Body::none, Produces::json, remove_reservation},
    Route{get, "/api/v1/tokens", admin, Body::none, Produces::json, list_tokens},
    Route{post, "/api/v1/tokens", admin, Body::json, Produces::json, create_token},
    Route{del, "/api/v1/tokens/{id}", admin, Body::none, Produces::json, revoke_token},
    Route{post, "/api/v1/tokens/admin/rotate", admin, Body::json_if_present, Produces::json, rotate_admin_token},
    Route{get, "/api/v1/nodes", user, Body::none, Produces::json, list_nodes},
    Route{post, "/api/v1/nodes/{id}/drain", admin, Body::json_if_present, Produces::json, drain_node},
    Route{post, "/api/v1/nodes/{id}/undrain", admin, Body::json_if_present, Produces::json, undrain_node},
    Route{get, "/api/v1/events", user, Body::none, Produces::json_or_events, list_events},
};

}  // namespace

std::span<const Route> all_routes() { return kRoutes; }

}  // namespace ym::api
