#include "papers/elastic/tiresias.h"

#include <algorithm>

#include "papers/elastic/most_free_nodes.h"

namespace ym::sim::elastic {

void Tiresias::account(JobNumber number, const Round& round) {
  const auto [known, is_new] = services_.try_emplace(number, Service{.seen_s = round.now_s});
  if (is_new) first_.push_back(number);
  Service& service = known->second;
  if (service.runs) service.held_s += round.now_s - service.seen_s;
  service.seen_s = round.now_s;
  if (!service.runs || service.held_s * round.jobs[number].request.gpus < options_.limit_gpu_s) return;
  if (std::erase(first_, number) > 0) second_.push_back(number);
}

void Tiresias::update_queues(const Round& round) {
  const auto ended = [&](JobNumber number) { return round.jobs[number].end_s.has_value(); };
  std::erase_if(first_, ended);
  std::erase_if(second_, ended);
  std::erase_if(services_, [&](const auto& service) { return ended(service.first); });
  for (const JobNumber number : round.active) account(number, round);
}

std::vector<Tiresias::JobNumber> Tiresias::choose(const Round& round) {
  std::vector<JobNumber> chosen;
  Count free = options_.cluster.gpus();
  for (const auto* queue : {&first_, &second_}) {
    for (const JobNumber number : *queue) {
      const Count gpus = round.jobs[number].request.gpus;
      services_[number].runs = gpus <= free;
      if (gpus > free) continue;
      free -= gpus;
      chosen.push_back(number);
    }
  }
  return chosen;
}

std::vector<Allocation> Tiresias::plan(const Round& round) {
  update_queues(round);
  const std::vector<JobNumber> chosen = choose(round);
  FreeNodes free(options_.cluster);
  for (const JobNumber number : chosen) free.take(round.jobs[number].allocation);
  std::map<JobNumber, Allocation> given;
  for (const JobNumber number : chosen) {
    const Job& job = round.jobs[number];
    given[number] = job.allocation.empty() ? free.give(job.request.gpus) : job.allocation;
  }
  std::vector<Allocation> plan;
  for (const JobNumber number : round.active) plan.push_back(std::move(given[number]));
  return plan;
}

}  // namespace ym::sim::elastic
