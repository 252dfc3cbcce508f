#include "api/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/text_serializer.h>

#include <limits>
#include <sstream>

namespace ym::api {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

// A metric family, made at each scrape.
class FamilyBuilder {
 public:
  FamilyBuilder(std::vector<MetricFamily>& families, std::string name, std::string help, MetricType type)
      : family_(families.emplace_back(MetricFamily{std::move(name), std::move(help), type, {}})) {}

  FamilyBuilder& add(Labels labels, double number) {
    ClientMetric metric;
    metric.label = std::move(labels);
    if (family_.type == MetricType::Counter) metric.counter.value = number;
    else metric.gauge.value = number;
    family_.metric.push_back(std::move(metric));
    return *this;
  }

 private:
  MetricFamily& family_;
};

double as_double(std::int64_t number) { return static_cast<double>(number); }

void add_jobs(std::vector<MetricFamily>& out, const Counters& counters) {
  FamilyBuilder jobs(out, "yardmaster_jobs", "Jobs that have not ended, by state and queue.", MetricType::Gauge);
  for (const auto& [key, count] : counters.jobs) {
    jobs.add({{"state", std::string(to_string(key.first))}, {"queue", key.second}}, as_double(count));
  }
  FamilyBuilder waiting(out, "yardmaster_unadmitted_jobs", "Jobs that wait, by queue and dominant reason.",
                        MetricType::Gauge);
  for (const auto& [key, count] : counters.unadmitted) {
    waiting.add({{"queue", key.first}, {"reason", key.second}}, as_double(count));
  }
  FamilyBuilder finished(out, "yardmaster_jobs_finished_total", "Jobs that ended since the server started, by state.",
                         MetricType::Counter);
  for (const auto& [state, count] : counters.finished) finished.add({{"state", state}}, as_double(count));
}

void add_totals(std::vector<MetricFamily>& out, const Counters& counters) {
  const auto total = [&](std::string name, std::string help, std::int64_t number) {
    FamilyBuilder(out, std::move(name), std::move(help), MetricType::Counter).add({}, as_double(number));
  };
  total("yardmaster_attempts_total", "Attempts made since the server started.", counters.attempts);
  total("yardmaster_commits_total", "Transactions committed to the store.", counters.commits);
  total("yardmaster_failed_commits_total", "Transactions that the store refused.", counters.failed_commits);
  total("yardmaster_events_total", "Events committed.", counters.events);
  FamilyBuilder(out, "yardmaster_db_bytes", "What the store takes on disk.", MetricType::Gauge)
      .add({}, static_cast<double>(counters.store_bytes));
}

double as_seconds(std::int64_t ms) { return as_double(ms) / 1000; }

void add_history(std::vector<MetricFamily>& out, const Counters& counters) {
  if (!counters.archive) return;
  FamilyBuilder(out, "yardmaster_history_overdue_seconds",
                "For how long the oldest event that is due for a segment waits for it; 0: none is due.",
                MetricType::Gauge)
      .add({}, as_seconds(counters.archive->overdue_ms));
  FamilyBuilder(out, "yardmaster_history_failures_total",
                "Failed tries since the server started to move what is due to segments.", MetricType::Counter)
      .add({}, as_double(counters.archive->failures));
}

void add_preemptions(std::vector<MetricFamily>& out, const Counters& counters) {
  FamilyBuilder preemptions(out, "yardmaster_preemptions_total",
                            "Attempts that were preempted since the server started, by queue and cause.",
                            MetricType::Counter);
  for (const auto& [key, count] : counters.preemptions)
    preemptions.add({{"queue", key.first}, {"cause", std::string(to_string(key.second))}}, as_double(count));
  FamilyBuilder estimated(
      out, "yardmaster_estimated_lost_gpu_seconds_total",
      "Lost GPU time of preemptions since the server started, as estimated at the decisions, by cause.",
      MetricType::Counter);
  for (const auto& [cause, ms] : counters.estimated_lost_gpu_ms)
    estimated.add({{"cause", std::string(to_string(cause))}}, as_seconds(ms));
  FamilyBuilder lost(out, "yardmaster_lost_gpu_seconds_total",
                     "Lost GPU time of attempts that ended since the server started, by what ended them.",
                     MetricType::Counter);
  for (const auto& [cause, ms] : counters.lost_gpu_ms)
    lost.add({{"cause", std::string(name_of(cause))}}, as_seconds(ms));
  FamilyBuilder risk(out, "yardmaster_work_at_risk_gpu_seconds",
                     "Work of running jobs since their last checkpoint, or since their start, by queue.",
                     MetricType::Gauge);
  for (const auto& [queue, ms] : counters.at_risk_gpu_ms) risk.add({{"queue", queue}}, as_seconds(ms));
}

void add_promises(std::vector<MetricFamily>& out, const Counters& counters) {
  FamilyBuilder kept(
      out, "yardmaster_wait_promises_total",
      "Admissions since the server started of jobs with a wait promise, by queue and whether the promise "
      "was kept.",
      MetricType::Counter);
  for (const auto& [key, count] : counters.wait_promises)
    kept.add({{"queue", key.first}, {"kept", key.second ? "true" : "false"}}, as_double(count));
  FamilyBuilder deadlines(out, "yardmaster_deadlines_total",
                          "Jobs with a deadline that ended since the server started, by queue and whether they "
                          "succeeded by then; cancelled ones do not count.",
                          MetricType::Counter);
  for (const auto& [key, count] : counters.deadlines)
    deadlines.add({{"queue", key.first}, {"met", key.second ? "true" : "false"}}, as_double(count));
  FamilyBuilder overdue(out, "yardmaster_overdue_waits",
                        "Jobs that wait for longer than their queue promises, by queue.", MetricType::Gauge);
  for (const auto& [queue, count] : counters.overdue_waits) overdue.add({{"queue", queue}}, as_double(count));
}

void add_contact(std::vector<MetricFamily>& out, const Counters& counters) {
  FamilyBuilder lost(out, "yardmaster_unreachable_seconds_max",
                     "Longest time for which an attempt is out of contact, by queue.", MetricType::Gauge);
  for (const auto& [queue, ms] : counters.unreachable_ms) lost.add({{"queue", queue}}, as_seconds(ms));
}

template <class Times>
ClientMetric histogram_of(Labels labels, const Times& times) {
  ClientMetric metric;
  metric.label = std::move(labels);
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < times.count.size(); ++i) {
    total += static_cast<std::uint64_t>(times.count[i]);
    const bool last = i == Times::kUpToSeconds.size();
    const double bound = last ? std::numeric_limits<double>::infinity() : Times::kUpToSeconds[i];
    metric.histogram.bucket.push_back({total, bound});
  }
  metric.histogram.sample_count = total;
  metric.histogram.sample_sum = times.sum_seconds;
  return metric;
}

void add_times(std::vector<MetricFamily>& out, const Counters& counters) {
  out.push_back({"yardmaster_scheduling_cycle_seconds",
                 "Duration of the decision engine's cycles.",
                 MetricType::Histogram,
                 {histogram_of({}, counters.cycles)}});
  MetricFamily waits{"yardmaster_admission_wait_seconds",
                     "Waiting time of admitted jobs since their submit, release or requeue, by queue.",
                     MetricType::Histogram,
                     {}};
  for (const auto& [queue, times] : counters.admission_waits)
    waits.metric.push_back(histogram_of({{"queue", queue}}, times));
  out.push_back(std::move(waits));
}

void add_quota(std::vector<MetricFamily>& out, const std::vector<QueueView>& queues) {
  FamilyBuilder quota(out, "yardmaster_quota_gpus", "GPUs of each queue and flavor: nominal, used, borrowed.",
                      MetricType::Gauge);
  for (const auto& view : queues) {
    for (const auto& usage : view.usage) {
      if (usage.kind != ResourceKind::gpus) continue;
      const auto add = [&](const char* kind, std::int64_t amount) {
        quota.add({{"queue", view.queue.name}, {"flavor", usage.flavor}, {"kind", kind}}, as_double(amount) / kMilli);
      };
      if (usage.nominal) add("nominal", *usage.nominal);
      add("used", usage.used);
      add("borrowed", usage.borrowed);
    }
  }
}

const char* unused_state(const Device& device) {
  if (!device.healthy) return "unhealthy";
  return device.foreign ? "foreign" : "free";
}

void add_devices(std::vector<MetricFamily>& out, const std::vector<NodeView>& nodes) {
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  for (const auto& view : nodes) {
    for (std::size_t i = 0; i < view.devices.size(); ++i) {
      const bool used = !view.devices[i].attempts.empty();
      ++counts[{view.node.cluster, used ? "used" : unused_state(view.node.devices.at(i))}];
    }
  }
  FamilyBuilder devices(out, "yardmaster_devices",
                        "GPUs of each cluster, by state; foreign: used by programs outside Yardmaster.",
                        MetricType::Gauge);
  for (const auto& [key, count] : counts) {
    devices.add({{"cluster", key.first}, {"state", key.second}}, as_double(count));
  }
}

}  // namespace

Metrics::Metrics(CertificateNow certificate)
    : certificate_(std::move(certificate)),
      requests_(prometheus::BuildCounter()
                    .Name("yardmaster_http_requests_total")
                    .Help("HTTP requests by route, method and status code.")
                    .Register(registry_)),
      seconds_(prometheus::BuildHistogram()
                   .Name("yardmaster_http_request_seconds")
                   .Help("Time from a request's first byte to the end of its answer.")
                   .Register(registry_)) {}

void Metrics::count(const Exchange& exchange) {
  const std::string_view route = exchange.route.empty() ? std::string_view("none") : exchange.route;
  const std::lock_guard lock(mutex_);
  Series& series = series_[{route.data(), exchange.method, exchange.status}];
  if (series.requests == nullptr) {
    series.requests = &requests_.Add({{"route", std::string(route)},
                                      {"method", std::string(to_string(exchange.method))},
                                      {"code", std::to_string(exchange.status)}});
    series.seconds = &seconds_.Add({{"route", std::string(route)}},
                                   prometheus::Histogram::BucketBoundaries{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                                           0.05, 0.1, 0.25, 0.5, 1, 2.5, 10});
  }
  series.requests->Increment();
  series.seconds->Observe(exchange.seconds);
}

std::string Metrics::render(const Reads& reads) {
  const Caller self = Caller::server();
  std::vector<MetricFamily> families;
  // Families are referenced while they are filled, so the vector must not reallocate.
  families.reserve(64);
  const Counters counters = reads.counters(self);
  FamilyBuilder(families, "yardmaster_build_info", "The running version.", MetricType::Gauge)
      .add({{"version", YM_VERSION}}, 1);
  add_jobs(families, counters);
  add_totals(families, counters);
  add_preemptions(families, counters);
  add_promises(families, counters);
  add_contact(families, counters);
  add_history(families, counters);
  add_times(families, counters);
  add_quota(families, reads.queues(self));
  add_devices(families, reads.nodes(self));
  if (const auto certificate = certificate_())
    FamilyBuilder(families, "yardmaster_tls_not_after_seconds",
                  "When the server's certificate expires, in seconds since 1970.", MetricType::Gauge)
        .add({}, as_double(certificate->not_after.ms / 1000));
  for (auto& family : registry_.Collect()) families.push_back(std::move(family));
  std::ostringstream text;
  prometheus::TextSerializer().Serialize(text, families);
  return std::move(text).str();
}

}  // namespace ym::api
