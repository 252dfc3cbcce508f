// Policies of a JobSet for all of its jobs.
#include <array>

#include "spec/convert/kubernetes/kinds.h"

namespace ym::convert {
namespace {

void read_success(const Field& field, Remarks& remarks) {
  constexpr std::string_view kAll = "a job succeeds when all of its tasks succeed";
  constexpr std::array<Advice, 1> kTargets{{{"targetReplicatedJobs", kAll}}};
  Keys keys(field, remarks);
  if (const auto how = keys.find("operator"); how && how->value->text != "All")
    remarks.warn(*how, std::string("is left out; ").append(kAll));
  keys.drop(kTargets);
  keys.finish();
}

void read_startup(const Field& field, Remarks& remarks) {
  Keys keys(field, remarks);
  if (const auto order = keys.find("startupPolicyOrder"); order && order->value->text != "AnyOrder")
    remarks.warn(*order,
                 "is left out; all groups of a gang start together; let the program wait for what must be first");
  keys.finish();
}

void read_failure_policy(const Field& field, Draft& draft, Remarks& remarks) {
  constexpr std::array<Advice, 1> kRules{{{"rules", "retry.error applies to all errors of the program"}}};
  constexpr std::array<UnneededKey, 1> kStrategy{
      {{"restartStrategy", "Recreate", "Yardmaster retries a job after all of its processes have ended"}}};
  Keys keys(field, remarks);
  if (const auto restarts = keys.find("maxRestarts")) draft.error_retries = read_retries(*restarts, remarks);
  keys.note(kStrategy);
  keys.drop(kRules);
  keys.finish();
}

}  // namespace

void read_jobset_policies(Keys& spec, Draft& draft) {
  constexpr std::array<Advice, 2> kDropped{
      {{"coordinator", "the first task has YM_NODE_RANK 0"},
       {"volumeClaimPolicies", "let the cluster mount it, see mounts in the server's configuration"}}};
  constexpr std::array<UnneededKey, 1> kNetwork{
      {{"network", "", "tasks find each other by YM_NODE_IPS, groups by YM_GROUPS"}}};
  auto& remarks = spec.remarks();
  if (const auto failure = spec.find("failurePolicy")) read_failure_policy(*failure, draft, remarks);
  if (const auto success = spec.find("successPolicy")) read_success(*success, remarks);
  if (const auto startup = spec.find("startupPolicy")) read_startup(*startup, remarks);
  spec.note(kNetwork);
  spec.drop(kDropped);
}

}  // namespace ym::convert
