#include "api/openapi/operations.h"

namespace ym::api::openapi {
namespace {

using enum Method;

constexpr std::string_view kJobOfAttempt = "The job's id.";
constexpr ErrorAnswer kTaskIsOver{404, "There is no such task, or it is over."},
    kTaskIsTaken{409, "Another task agent has the task."};

}  // namespace

Group attempt_operations() {
  return {
      "attempts",
      {
          {.method = post,
           .path = "/api/v1/jobs/{id}/attempts/{n}/progress",
           .id = "reportProgress",
           .summary = "Report the progress of an attempt, what it has saved, and that it has finished.",
           .object = kJobOfAttempt,
           .content = ref("ProgressReport"),
           .answers = {{204, "Accepted. A checkpoint or the completion is durable now."}},
           .errors = {{409, "The attempt has ended."}, {413, "The report is over 16 KiB."}}},
          {.method = get,
           .path = "/api/v1/jobs/{id}/attempts/{n}/notice",
           .id = "awaitNotice",
           .summary = "Ask whether an attempt has to stop, and wait for that.",
           .object = "The job's id. An administrator may write its name.",
           .parameters = {query("wait", text(),
                                "How long to wait for a notice, at most 1m: \"30s\". Left out: do not wait.")},
           .answers = {{200, "The attempt has to stop.", ref("Notice")}, {204, "It does not have to stop so far."}},
           .errors = {{409, "The name means several jobs."}}},
          {.method = post,
           .path = "/api/v1/jobs/{id}/attempts/{n}/tasks/{t}/report",
           .id = "reportTask",
           .summary = "Report the state of a task on another machine, and get its orders.",
           .object = kJobOfAttempt,
           .content = ref("TaskReport"),
           .answers = {{200, "What the task agent has to do.", ref("TaskOrders")}},
           .errors = {kTaskIsOver, kTaskIsTaken}},
          {.method = get,
           .path = "/api/v1/jobs/{id}/attempts/{n}/tasks/{t}/orders",
           .id = "awaitTaskOrders",
           .summary = "Wait until a task on another machine has new orders.",
           .object = kJobOfAttempt,
           .parameters = {query("nonce", text(), "With it the task agent has claimed the task."),
                          query("version", whole(0), "Version of the orders that the task agent knows."),
                          query("wait", text(), "How long to wait for newer orders, at most 1m: \"30s\".")},
           .answers = {{200, "Newer orders.", ref("TaskOrders")}, {204, "There are no newer orders."}},
           .errors = {kTaskIsOver, kTaskIsTaken}},
      },
  };
}

}  // namespace ym::api::openapi
