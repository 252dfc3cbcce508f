// SwitchedService: one door for what answers now and what will answer later. A server stands by first, then it leads.
#pragma once

#include <memory>
#include <mutex>

#include "control/service.h"

namespace ym {

// Thread-safe. A call that has begun goes on with the service that it began with, which lives as long.
class SwitchedService final : public Service {
 public:
  SwitchedService();
  ~SwitchedService() override;

  // From now on this one answers. Listeners stay: they are told of each event once and in order, also of those that the
  // one before has not told. Precondition of all other calls: it was called once.
  void set(std::shared_ptr<Service> service);

  void execute(Caller caller, Command command, Reply reply) override;
  void change_tokens(TokenCommand command, TokenAnswer answer) override {
    now_serving()->change_tokens(std::move(command), std::move(answer));
  }
  std::vector<TokenView> tokens() override { return now_serving()->tokens(); }
  Result<Caller> authenticate(const Secret& token) override { return now_serving()->authenticate(token); }
  Result<JobId> resolve(const Caller& caller, std::string_view id_or_name) override {
    return now_serving()->resolve(caller, id_or_name);
  }
  Result<GroupId> resolve_group(const Caller& caller, std::string_view id_or_name) override {
    return now_serving()->resolve_group(caller, id_or_name);
  }
  Result<JobView> job(JobId id) override { return now_serving()->job(id); }
  Result<JobPage> jobs(const JobFilter& filter, std::size_t limit) override {
    return now_serving()->jobs(filter, limit);
  }
  Result<Explanation> why(JobId id) override { return now_serving()->why(id); }
  void compare(engine::PolicyChange change, CompareReply reply) override;
  Result<EventPage> events(const EventFilter& filter, std::size_t limit) override {
    return now_serving()->events(filter, limit);
  }
  Result<std::optional<Notice>> notice(AttemptKey attempt) override { return now_serving()->notice(attempt); }
  std::vector<QueueView> queues() override { return now_serving()->queues(); }
  std::vector<NodeView> nodes() override { return now_serving()->nodes(); }
  std::vector<AdvanceReservation> reservations() override { return now_serving()->reservations(); }
  PolicyView policy() override { return now_serving()->policy(); }
  void read_log(LogQuery query, LogReply reply) override {
    now_serving()->read_log(std::move(query), std::move(reply));
  }
  Result<TaskLink*> task_link(AttemptKey attempt) override { return now_serving()->task_link(attempt); }
  std::shared_ptr<void> listen(EventListener listener) override;
  std::uint64_t last_seq() override { return now_serving()->last_seq(); }
  Counters counters() override { return now_serving()->counters(); }
  std::optional<std::string> not_ready() override { return now_serving()->not_ready(); }
  Instant now() override { return now_serving()->now(); }

 private:
  class Relay;
  std::shared_ptr<Service> now_serving() const;

  const std::shared_ptr<Relay> relay_;
  mutable std::mutex mutex_;
  std::shared_ptr<Service> service_;
  std::shared_ptr<void> listening_;
};

}  // namespace ym
