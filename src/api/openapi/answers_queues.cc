#include "api/openapi/answers.h"
#include "api/openapi/shown.h"
#include "model/keys/queue.h"

namespace ym::api::openapi {
namespace {

Schema queue_policy() {
  Schema queue = keys::shown_keys<Queue>();
  Schema policy = member_of(queue, "policy");
  add_member(member_of(policy, "budgets").at("items").as_object(),
             {"used", or_null(number()),
              "Spent in the present period, or reserved by running jobs: a job counts with all that its time limit "
              "allows while it runs, and with its real cost when it has ended. Null unless it is requested."});
  return policy;
}

Schema queue_settings() {
  Schema queue = keys::shown_keys<Queue>();
  Schema& policy = member_of(queue, "policy");
  policy = referred(policy, "QueuePolicy");
  Schema& parent = member_of(queue, "parent");
  parent = described(or_null(text()), std::string(parent.at("description").as_string()) + " Null: it is at the top.");
  return extended(std::move(queue), {
                                        {"accepts_jobs", flag()},
                                        {"managed_by", one_of<ManagedBy>()},
                                    });
}

Schema queue_usage() {
  return members({
      {"flavor", text()},
      {"resource", one_of<ResourceKind>()},
      {"nominal", or_null(number())},
      {"used", number()},
      {"borrowed", number()},
      {"lately", number(),
       "Decayed usage of the queue and the queues below it, as of the last sample: an average of the last days."},
  });
}

Schema user_usage() {
  const Schema amounts = members({{"cpus", number()}, {"memory", number()}, {"gpus", number()}});
  return members({{"user", text()}, {"flavor", text()}, {"lately", amounts}});
}

Schema queue() {
  return extended(queue_settings(),
                  {
                      {"usage", list(queue_usage())},
                      {"users", list(user_usage()), "Decayed usage of each user in the queue, most GPUs first."},
                      {"counts", members({{"queued", whole()}, {"held", whole()}, {"active", whole()}})},
                  });
}

Schema queue_removal() {
  return members({
      {"name", text()},
      {"removed", flag(), "False: the queue is in use. It takes no new jobs, and is removed when its last job ends."},
  });
}

}  // namespace

std::vector<Named> queue_answers() {
  return {
      {"Queue", queue()},
      {"QueueList", page_of("Queue")},
      {"QueueSettings", queue_settings()},
      {"QueueItems", members({{"items", list(ref("QueueSettings"))}})},
      {"QueuePolicy", queue_policy()},
      {"QueueRemoval", queue_removal()},
  };
}

}  // namespace ym::api::openapi
