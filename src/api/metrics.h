// Metrics: the content of /metrics, in Prometheus' text format.
#pragma once

#include <prometheus/registry.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "api/http/handler.h"
#include "api/http/options.h"
#include "control/serve/reads.h"

namespace ym::api {

// Thread-safe. It counts requests itself and reads everything else at the scrape.
class Metrics {
 public:
  using CertificateNow = std::function<std::optional<TlsCertificate>()>;
  // `certificate`: the server's own one now; nothing: it speaks plain HTTP. Thread-safe.
  explicit Metrics(CertificateNow certificate);

  void count(const Exchange& exchange);
  std::string render(const Reads& reads);

 private:
  // Routes are literals, so their addresses identify them.
  using Key = std::tuple<const char*, Method, int>;
  struct Series {
    prometheus::Counter* requests;
    prometheus::Histogram* seconds;
  };

  const CertificateNow certificate_;
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Family<prometheus::Histogram>& seconds_;
  std::mutex mutex_;
  std::map<Key, Series> series_;
};

}  // namespace ym::api
