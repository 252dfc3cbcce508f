#include "control/commands/reservation_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "control/state/messages.h"

namespace ym {
namespace {

// The most unknown names in a refusal.
constexpr std::size_t kNamed = 10;

bool contains(const std::vector<std::string>& list, const std::string& one) {
  return std::ranges::find(list, one) != list.end();
}

// Whether `queue` or a queue above it is among `queues`.
bool is_of(const Tables& tables, std::string queue, const std::vector<std::string>& queues) {
  std::set<std::string> seen;
  while (tables.queues.contains(queue) && seen.insert(queue).second) {
    if (contains(queues, queue)) return true;
    queue = tables.queues.at(queue).parent;
  }
  return false;
}

std::vector<FieldError> problems_of(const Tables& tables, const ReservationRequest& request) {
  std::vector<FieldError> problems;
  for (const auto& node : request.wanted.nodes)
    if (!tables.nodes.contains(node) && problems.size() < kNamed)
      problems.push_back({"/nodes", fmt::format("there is no node '{}'", node)});
  for (const auto& queue : request.wanted.queues)
    if (!tables.queues.contains(queue) && problems.size() < kNamed)
      problems.push_back({"/queues", fmt::format("there is no queue '{}'", queue)});
  if (!request.cluster.empty() && !tables.clusters.contains(request.cluster))
    problems.push_back({"/cluster", fmt::format("there is no cluster '{}'", request.cluster)});
  const bool flavor_known =
      tables.flavors.contains(request.flavor) || (tables.flavors.empty() && request.flavor == kDefaultFlavor);
  if (!request.flavor.empty() && !flavor_known)
    problems.push_back({"/flavor", fmt::format("there is no flavor '{}'", request.flavor)});
  return problems;
}

// Other reservations and jobs that prevent a reservation, by node.
class Obstacles {
 public:
  Obstacles(const Tables& tables, const ReservationRequest& request, Instant now) {
    const AdvanceReservation& wanted = request.wanted;
    for (const auto& [name, row] : tables.reservations)
      if (row.from < wanted.until && wanted.from < row.until)
        for (const auto& node : row.nodes) set_aside_.try_emplace(node, name);
    if (request.ignore_jobs) return;
    for (const auto& [key, attempt] : tables.attempts) {
      if (attempt.state == AttemptState::ended) continue;
      const Job& job = tables.jobs.at(key.job);
      if (contains(wanted.users, job.owner) || is_of(tables, attempt.queue, wanted.queues)) continue;
      if (gone_by(job, attempt, now) <= wanted.from) continue;
      for (const auto& task : attempt.placement) busy_[task.node].insert(to_string(key.job));
    }
  }

  const std::string* set_aside(const std::string& node) const {
    const auto found = set_aside_.find(node);
    return found == set_aside_.end() ? nullptr : &found->second;
  }
  bool is_busy(const std::string& node) const { return busy_.contains(node); }
  std::vector<std::string> jobs_on(const std::vector<std::string>& nodes) const {
    std::set<std::string> jobs;
    for (const auto& node : nodes)
      if (const auto found = busy_.find(node); found != busy_.end())
        jobs.insert(found->second.begin(), found->second.end());
    return {jobs.begin(), jobs.end()};
  }

 private:
  static Instant gone_by(const Job& job, const Attempt& attempt, Instant now) {
    if (attempt.stop_by) return *attempt.stop_by;
    constexpr Instant kNever{std::numeric_limits<std::int64_t>::max()};
    const auto& limit = job.spec->time_limit;
    return limit ? attempt.started_at.value_or(now) + *limit + job.spec->stop.grace : kNever;
  }

  std::map<std::string, std::string> set_aside_;
  std::map<std::string, std::set<std::string>> busy_;
};

// The first nodes by name that have no obstacle.
Result<std::vector<std::string>> choose_nodes(const Tables& tables, const ReservationRequest& request,
                                              const Obstacles& obstacles) {
  std::vector<std::string> nodes, busy;
  std::size_t matching = 0;
  for (const auto& [name, node] : tables.nodes) {
    if (!request.cluster.empty() && node.cluster != request.cluster) continue;
    if (!request.flavor.empty() && flavor_of(tables, node) != request.flavor) continue;
    matching += 1;
    const auto cluster = tables.clusters.find(node.cluster);
    const bool reachable = cluster != tables.clusters.end() && cluster->second.available;
    if (!reachable || !node.in_service() || obstacles.set_aside(name)) continue;
    (obstacles.is_busy(name) ? busy : nodes).push_back(name);
  }
  const auto wanted = static_cast<std::size_t>(*request.node_count);
  if (nodes.size() >= wanted) {
    nodes.resize(wanted);
    return nodes;
  }
  std::string message =
      fmt::format("of {} matching nodes {} are free then, and {} are wanted", matching, nodes.size(), wanted);
  if (!busy.empty())
    message += fmt::format(
        "; on {} other nodes jobs may still run: {}. Choose another time, or let these jobs go on there with "
        "ignore_jobs",
        busy.size(), some_of(obstacles.jobs_on(busy)));
  return fail(ErrorCode::conflict, message);
}

Result<void> check_nodes(const ReservationRequest& request, const Obstacles& obstacles) {
  const auto& nodes = request.wanted.nodes;
  for (const auto& node : nodes)
    if (const auto* other = obstacles.set_aside(node); other && !request.wanted.is_maintenance())
      return fail(ErrorCode::conflict, fmt::format("node '{}' is in reservation '{}' at that time", node, *other));
  const auto jobs = obstacles.jobs_on(nodes);
  if (jobs.empty()) return {};
  return fail(ErrorCode::conflict,
              fmt::format("jobs may still run on its nodes when it begins: {}. Choose another time or other nodes, or "
                          "let these jobs go on there with ignore_jobs",
                          some_of(jobs)));
}

}  // namespace

Result<CommandReply> stage_create_reservation(Staging& staging, const Caller& caller,
                                              const CreateReservation& command) {
  const Tables& tables = staging.tables();
  const ReservationRequest& request = command.request;
  if (tables.reservations.contains(request.wanted.name))
    return fail(ErrorCode::conflict,
                fmt::format("there is a reservation '{}' already; delete it first", request.wanted.name));
  if (auto problems = problems_of(tables, request); !problems.empty()) {
    const std::string message = problems.front().pointer + ": " + problems.front().message;
    return std::unexpected(Error{.code = ErrorCode::invalid, .message = message, .fields = std::move(problems)});
  }
  const Obstacles obstacles(tables, request, staging.now());
  AdvanceReservation reservation = request.wanted;
  reservation.created_by = caller.principal;
  if (request.node_count) {
    auto nodes = choose_nodes(tables, request, obstacles);
    if (!nodes) return std::unexpected(nodes.error());
    reservation.nodes = std::move(*nodes);
  } else if (auto checked = check_nodes(request, obstacles); !checked) {
    return std::unexpected(checked.error());
  }
  staging.add(caller.principal, ReservationSet{std::move(reservation)});
  return CommandReply{};
}

Result<CommandReply> stage_remove_reservation(Staging& staging, const Caller& caller,
                                              const RemoveReservation& command) {
  if (!staging.tables().reservations.contains(command.reservation))
    return fail(ErrorCode::not_found, fmt::format("there is no reservation '{}'", command.reservation));
  staging.add(caller.principal, ReservationRemoved{command.reservation});
  return CommandReply{};
}

void stage_reservations_over(Staging& staging) {
  std::vector<std::string> over;
  for (const auto& [name, row] : staging.tables().reservations)
    if (row.until <= staging.now()) over.push_back(name);
  for (auto& name : over) staging.add("server", ReservationRemoved{std::move(name)}, "it is over");
}

std::optional<Instant> next_reservation_over(const Tables& tables) {
  std::optional<Instant> next;
  for (const auto& [name, row] : tables.reservations) next = std::min(next.value_or(row.until), row.until);
  return next;
}

}  // namespace ym
