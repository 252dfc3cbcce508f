// The parts of a running server.
#pragma once

#include <signal.h>

#include <memory>
#include <stop_token>

#include "api/server.h"
#include "archive/archiver.h"
#include "base/secret.h"
#include "cli/options/serve_options.h"
#include "control/boot_clock.h"
#include "control/serve/backend_switch.h"
#include "control/serve/server.h"
#include "login/desk.h"
#include "recording/recorder.h"
#include "store/store.h"
#include "token_reviews.h"
#include "wiring.h"

namespace ym {

// Members are destroyed in reverse order: requests end first, then decisions, then launches. The store is closed
// last, which gives up the lead.
struct Running {
  std::stop_source stop;            // the store stops waiting for a database that does not answer
  std::shared_ptr<void> state_dir;  // held if the state is in a database, or is a copy that is only shown
  Secret job_token_key;
  std::unique_ptr<Store> store;
  BootClock clock;
  Wiring wiring;
  std::unique_ptr<Recorder> recorder;  // null: no recording
  // Null: not the leader. A reload that control still has may set it, so it goes later; leave() ends its thread before.
  std::unique_ptr<Archiver> archiver;
  std::shared_ptr<ControlServer> control;
  BackendSwitch door;
  std::shared_ptr<login::Desk> desk = std::make_shared<login::Desk>(make_token_reviews());
  std::unique_ptr<HttpServer> http;
  bool announced = false;  // http answers, and server.json has its address
};

// Takes the port, because jobs and other servers need its number.
Result<void> take_port(Running& running, const ServeOptions& options);

// The address that the server listens at; the address for this machine; the address for other machines, which may not
// be one that it listens at. Precondition: the port is taken.
std::string url_listened(const Running& running, const ServeOptions& options);
std::string url_here(const Running& running, const ServeOptions& options);
std::string url_remote(const Running& running, const ServeOptions& options);
// For jobs on this machine. A certificate of an authority rarely names this machine's own address.
std::string url_for_jobs(const Running& running, const ServeOptions& options);

// How users log in, by the configuration that is in force. Precondition: the port is taken.
void set_logins(Running& running, const ServeOptions& options, const Configuration& configuration);

// Begins to answer, and writes the address to server.json. Later calls do nothing. Precondition: `door` is set.
Result<void> open_door(Running& running, const ServeOptions& options);

// Writes the address and the certificate's fingerprint to server.json. Precondition: the door is open.
Result<void> announce(const Running& running, const ServeOptions& options);

}  // namespace ym
