// Device codes (RFC 8628): a program without a browser asks for a login, and its user allows it on another screen.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/time.h"
#include "login/expiring.h"

namespace ym::login {

inline constexpr Duration kDeviceCodeLife = minutes(10), kPollInterval = seconds(5);

// What asks for a login, for the user that has to decide.
struct Device {
  std::string address;
  std::string host;    // as it says itself: letters, digits, "-" and "." alone
  std::string code{};  // what the user types: "BCDF-GHJK"
  Instant since{};
};
// A host's name as it may be shown; empty: it is none.
std::string host_name_of(std::string_view said);
// Addresses of one network count together: of IPv6 the first 64 bits.
std::string network_of(std::string_view address);

// What the user allowed: one more login of this principal, made by its session in the browser.
struct DeviceGrant {
  std::string principal, session;  // ids
};

enum class DevicePoll : std::uint8_t { pending, slow_down, denied, expired };

// Not thread-safe.
class DeviceCodes {
 public:
  struct Codes {
    std::string device_code, user_code;  // "BCDF-GHJK"
  };
  // Nothing: too many wait, or too many of this network.
  std::optional<Codes> begin(Device device, Instant now);

  // What the program gets to know. A grant is given once; then the code is `pending` until one of the next two is
  // called.
  std::variant<DevicePoll, DeviceGrant> poll(const std::string& device_code, Instant now);
  // The grant was used, or was refused: the code counts no more.
  void end(const std::string& device_code, Instant now);
  // Its login could not be stored: the next poll gets the grant.
  void give_back(const std::string& device_code, Instant now);

  // The device that waits with this code, in any letter case, with or without the hyphen. After five wrong codes a
  // user finds none for ten minutes. Null: none.
  const Device* find(std::string_view user_code, const std::string& user, Instant now);
  // Nothing: the user allowed nothing. False: no device waits with the code.
  bool decide(std::string_view user_code, std::optional<DeviceGrant> grant, Instant now);

 private:
  static constexpr std::size_t kMost = 10'000, kMostOfANetwork = 50;
  static constexpr int kWrongTries = 5;

  struct Waiting {
    Device device;
    std::string network;
    std::string user_code;  // without the hyphen
    Duration interval = kPollInterval;
    std::optional<Instant> polled_at{};
    bool denied = false;
    std::optional<DeviceGrant> grant{};
    bool is_given = false;  // the grant
  };
  Waiting* waiting(std::string_view user_code, Instant now);

  Expiring<Waiting> waiting_{kDeviceCodeLife, kMost};  // by device code
  Expiring<int> wrong_{kDeviceCodeLife, kMost};        // wrong tries, by user
};

}  // namespace ym::login
