// Desk: where others prove who they are. It checks tokens of issuers, sends browsers to the provider and takes them
// back, and keeps the codes of devices that wait.
//
// What it keeps is in memory: a login that was begun before a restart has to begin again. It gives no tokens of this
// server: that is a command (LogIn, ExchangeProof, CreateToken), for which it has the facts.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "login/browsing_codes.h"
#include "login/device_codes.h"
#include "login/expiring.h"
#include "login/proof.h"
#include "login/revalidation.h"
#include "login/token_reviews.h"
#include "login/workers.h"
#include "model/access/login_settings.h"
#include "oidc/issuer.h"

namespace ym::login {

struct Settings {
  std::string url;  // of this server, as browsers reach it
  // Handles that no user of a provider gets: of the server's own user. Those of service accounts below are such, too.
  std::vector<std::string> reserved;
  std::vector<Issuer> issuers;
  std::vector<ExchangeRule> exchange;
  AccountLogins accounts;
  Duration login_ttl = hours(12), login_idle = hours(8), groups_max_age = hours(7 * 24);
};

// All handles that no user of a provider gets: `reserved`, and of the service accounts that exchange rules and issuers
// (Issuer::scim) name.
std::vector<std::string> reserved_handles(const Settings& settings);

struct ProvenWorkload {
  std::string rule, service;
  std::string proof;  // empty: its issuer was asked just now, and it may count again
  Duration ttl;
};

// Where a browser goes to log in, and the secret that binds the login to this browser (a cookie).
struct Departure {
  std::string url, cookie;
};
// How it comes back.
struct Return {
  std::string code, state, issuer, error;  // parameters; empty: not there
  std::string cookie;
};
// A user that has proved itself.
struct LoggedIn {
  ProvenUser user;
  Instant issued_at;      // of the proof
  std::string proof{};    // a token that was exchanged; empty: the login was made for this
  bool is_first = false;  // its issuer is the first one of the settings
};
// The logins of the user up to this time end, by the word of its provider.
struct Logout {
  Subject user;
  Instant before;
};
struct Arrival {
  LoggedIn login;
  std::string path;  // where it wanted to go
};

using Proven = std::variant<LoggedIn, ProvenWorkload>;

template <class Value>
using Done = std::move_only_function<void(Result<Value>)>;

// Thread-safe. `done` is called once, mostly on a thread of the desk. Owned by a shared_ptr: a reply of control may
// come when the desk is gone.
class Desk : public std::enable_shared_from_this<Desk> {
 public:
  // `reviews`: null: no cluster can be asked.
  explicit Desk(std::unique_ptr<TokenReviews> reviews = nullptr) : reviews_(std::move(reviews)) {}
  ~Desk() { stop(); }

  // Ends the calls in progress; later ones are refused with `unavailable`. Blocks until no `done` runs. Idempotent.
  void stop();

  void set(Settings settings);
  std::shared_ptr<const Settings> settings() const;

  // Errors: `unauthenticated`; `unavailable`: the issuer does not answer, or too many ask.
  void prove(std::string token, Instant now, Done<Proven> done);
  // The user of a program at the server's Unix socket, by its account. Errors: as prove.
  void prove_account(std::uint32_t uid, Instant now, Done<Proven> done);
  // The user that a credential of MUNGE is of. Errors: as prove.
  void prove_munge(std::string credential, Instant now, Done<Proven> done);
  // `issuer`: its name; empty: the first. `address`: of the browser. Errors: `not_found`; `unavailable`.
  void depart(const std::string& issuer, std::string path, const std::string& address, Instant now,
              Done<Departure> done);
  // Errors: `unauthenticated`: the provider refused the user, or the return does not fit the departure; `unavailable`.
  void arrive(Return back, Instant now, Done<Arrival> done);

  // Reads a message of a provider that a user has logged out there, or is no more (OpenID Connect Back-Channel Logout).
  // Errors: as prove.
  void read_logout(std::string token, Instant now, Done<Logout> done);

  // Asks providers about users that are due (Issuer::revalidate), and calls `gone` with each that is refused now. Cheap
  // if none is due; at most one call asks at a time.
  void revalidate(Instant now, std::move_only_function<void(Subject)> gone);

  // Calls `use` with the codes of devices, and returns what it returns.
  auto with_devices(auto use) {
    const std::lock_guard lock(mutex_);
    return use(devices_);
  }
  // The same with the codes of programs that wait on loopback.
  auto with_browsing(auto use) {
    const std::lock_guard lock(mutex_);
    return use(browsing_);
  }

 private:
  struct Away {  // a browser that is at its provider
    Issuer settings;
    std::shared_ptr<oidc::Issuer> issuer;
    oidc::CodeRequest request;
    std::string cookie, path, network;
  };
  // The same issuer for the same settings: it keeps its keys when the configuration is read again.
  std::shared_ptr<oidc::Issuer> issuer_of(oidc::IssuerOptions options);
  std::shared_ptr<oidc::Issuer> client_of(const Issuer& settings);

  Result<LoggedIn> logged_in(const Issuer& issuer, const oidc::Json& claims) const;
  static Result<LoggedIn> admitted(const Settings& settings, ProvenUser user, Instant issued_at);
  Result<Proven> prove_now(const std::string& token, Instant now);
  Result<Proven> prove_workload(const Settings& settings, const oidc::JsonWebToken& unchecked, const std::string& token,
                                Instant now);
  Result<Proven> prove_pod(const Settings& settings, const oidc::JsonWebToken& unchecked, const std::string& token);
  Result<Departure> depart_now(Away away, Instant now);
  Result<Arrival> arrive_now(const Return& back, Instant now);
  Result<Logout> read_logout_now(const std::string& token, Instant now);
  template <class Value>
  void run(std::move_only_function<Result<Value>()> work, Done<Value> done);

  static constexpr std::size_t kMostAway = 10'000, kMostOfANetwork = 50;
  mutable std::mutex mutex_;
  std::shared_ptr<const Settings> settings_ = std::make_shared<const Settings>();
  std::map<std::string, std::shared_ptr<oidc::Issuer>> issuers_;
  Expiring<Away> away_{minutes(10), kMostAway};  // by state
  DeviceCodes devices_;
  BrowsingCodes browsing_;
  bool stopped_ = false;
  const std::unique_ptr<TokenReviews> reviews_;
  Revalidation revalidation_;
  Workers workers_;  // last: its threads use the others
};

}  // namespace ym::login
