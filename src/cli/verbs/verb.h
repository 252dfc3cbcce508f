// How verbs join the command line: each family adds its words, its options and its action.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>

#include "cli/session.h"

namespace ym::cli {

// Of a verb that has none.
struct NoOptions {};

struct Verbs {
  CLI::App& app;
  std::function<int(Session&)> chosen;  // set by the verb that was used
  std::vector<std::string> program;     // words after `--`
  // Adds an action to a verb that is already in the command line.
  std::function<void(CLI::App&)> add_global_flags;

  // Adds a verb. Compiled once, because the App class of CLI11 is large.
  CLI::App* add(const std::string& name, const std::string& help);

  // `act` gets the parsed options.
  template <class Options>
  void on(CLI::App* verb, std::shared_ptr<Options> options, int (*act)(Session&, const Options&)) {
    verb->callback(
        [this, options, act] { chosen = [options, act](Session& session) { return act(session, *options); }; });
  }
};

void add_run(Verbs& verbs);
void add_submit(Verbs& verbs);
void add_convert(Verbs& verbs);
void add_schema(Verbs& verbs);
void add_ps(Verbs& verbs);
void add_get(Verbs& verbs);
void add_why(Verbs& verbs);
void add_events(Verbs& verbs);
void add_logs(Verbs& verbs);
void add_wait(Verbs& verbs);
void add_act(Verbs& verbs);  // cancel hold release retry
void add_queue(Verbs& verbs);
void add_policy(Verbs& verbs);
void add_nodes(Verbs& verbs);  // nodes node
void add_reservation(Verbs& verbs);
void add_token(Verbs& verbs);
void add_role(Verbs& verbs);
void add_project(Verbs& verbs);
void add_identity(Verbs& verbs);
void add_identity_erase(Verbs& verbs, CLI::App& identity);
void add_audit(Verbs& verbs);
void add_history(Verbs& verbs);
void add_login(Verbs& verbs);  // login logout context
void add_auth(Verbs& verbs);   // auth whoami
void add_admin(Verbs& verbs);
void add_tune(Verbs& verbs, CLI::App& policy);
void add_simulate(Verbs& verbs);
void add_replay(Verbs& verbs);
void add_migrate(Verbs& verbs);
void add_forecast(Verbs& verbs);
void add_capacity(Verbs& verbs);
void add_server(Verbs& verbs);  // serve version

}  // namespace ym::cli
