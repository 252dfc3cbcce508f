#include "token_reviews.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>

#include "control/boot_clock.h"
#include "executor/kubernetes/api/api_client.h"
#include "executor/kubernetes/api/connection.h"
#include "executor/kubernetes/api/token_review.h"

namespace ym {
namespace {

void put(oidc::Json& claims, std::string_view name, std::string text) {
  if (text.empty()) return;
  oidc::Json value;
  value.kind = oidc::Json::Kind::string;
  value.text = std::move(text);
  claims.keys.emplace_back(name);
  claims.items.push_back(std::move(value));
}

oidc::Json claims_of(kubernetes::ReviewedAccount account) {
  oidc::Json claims;
  claims.kind = oidc::Json::Kind::map;
  put(claims, "namespace", std::move(account.name_space));
  put(claims, "serviceaccount", std::move(account.name));
  put(claims, "pod", std::move(account.pod));
  return claims;
}

// A cluster that does not answer must leave threads for other logins.
class Place {
 public:
  explicit Place(std::atomic<int>& taken) : taken_(taken), is_free_(++taken <= kMost) {}
  ~Place() { --taken_; }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  bool is_free() const { return is_free_; }

 private:
  static constexpr int kMost = 2;
  std::atomic<int>& taken_;
  const bool is_free_;
};

class KubernetesReviews : public login::TokenReviews {
 public:
  Result<oidc::Json> review(const std::string& cluster, const std::string& token,
                            const std::string& audience) override {
    const Place place(asking_);
    if (!place.is_free()) return fail(ErrorCode::unavailable, "too many pods log in at once; try again soon");
    const auto client = client_of(cluster);
    if (!client) return std::unexpected(client.error());
    auto account = kubernetes::review_token(**client, token, audience);
    if (!account) return std::unexpected(account.error());
    return claims_of(std::move(*account));
  }

  void cancel() override {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    for (const auto& [cluster, client] : clients_) client->close();
  }

 private:
  // What is wrong with a kubeconfig is the site's, and may be mended: the next call reads it again.
  Result<std::shared_ptr<kubernetes::ApiClient>> client_of(const std::string& cluster) {
    const std::lock_guard lock(mutex_);
    if (cancelled_) return fail(ErrorCode::unavailable, "the server stops");
    auto& client = clients_[cluster];
    if (client) return client;
    const auto access = kubernetes::find_access(cluster == "here" ? "" : cluster, "");
    auto http = access ? kubernetes::connect(*access, clock_, kKeptConnections)
                       : Result<std::unique_ptr<net::HttpClient>>(std::unexpected(access.error()));
    if (!http) {
      clients_.erase(cluster);
      return fail(ErrorCode::unavailable, "the cluster of this rule cannot be asked: " + http.error().message);
    }
    client = std::make_shared<kubernetes::ApiClient>(std::move(*http));
    return client;
  }

  static constexpr std::size_t kKeptConnections = 2;
  const BootClock clock_;
  std::atomic<int> asking_ = 0;
  std::mutex mutex_;
  bool cancelled_ = false;
  std::map<std::string, std::shared_ptr<kubernetes::ApiClient>> clients_;
};

}  // namespace

std::unique_ptr<login::TokenReviews> make_token_reviews() { return std::make_unique<KubernetesReviews>(); }

}  // namespace ym
