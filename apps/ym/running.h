// What a server consists of while it runs.
#pragma once

#include <signal.h>

#include <memory>
#include <stop_token>

#include "api/server.h"
#include "base/secret.h"
#include "cli/serve_options.h"
#include "control/boot_clock.h"
#include "control/server.h"
#include "control/switched_service.h"
#include "recording/recorder.h"
#include "store/store.h"
#include "wiring.h"

namespace ym {

// Members are destroyed in reverse order: first nobody can ask, then nothing is decided, then nothing is launched, at
// last the store is closed, and with it the lead is given up.
struct Running {
  std::stop_source stop;            // the store waits no longer for a database that is away
  std::shared_ptr<void> state_dir;  // held, where the state is elsewhere or is only looked at
  Secret job_token_key;
  std::unique_ptr<Store> store;
  BootClock clock;
  Wiring wiring;
  std::unique_ptr<Recorder> recorder;  // null: nothing is recorded
  std::shared_ptr<ControlServer> control;
  SwitchedService door;
  std::unique_ptr<HttpServer> http;
  bool announced = false;  // http answers, and where is written down
};

// Takes the port: jobs are told it, and other servers.
Result<void> take_port(Running& running, const ServeOptions& options);

// As it listens; as this machine reaches it; and as others do, who have to be told: no address that is listened on need
// be one that they know. Precondition: the port is taken.
std::string url_listened(const Running& running, const ServeOptions& options);
std::string url_here(const Running& running, const ServeOptions& options);
std::string url_elsewhere(const Running& running, const ServeOptions& options);

// Answers from now on, and writes down where; again does nothing. Precondition: `door` is set.
Result<void> open_door(Running& running, const ServeOptions& options);

}  // namespace ym
