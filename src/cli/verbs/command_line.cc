#include "cli/verbs/command_line.h"

#include <fmt/format.h>

#include "cli/verbs/typing_mistakes.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

constexpr std::string_view kFooter =
    "Server: --url or YM_URL, else the one of `ym login`, else the server of the default state folder (YM_STATE, else "
    "~/.local/state/yardmaster).\n"
    "Exit codes: 0 ok, 1 job failed, 2 usage, 4 no valid token, 5 denied, 6 no answer, 124 timed out, 130 "
    "interrupted.\n"
    "Help for a verb: ym VERB --help, or ym help VERB.";

void add_global_flags(CLI::App& app, Session& session, std::string& format) {
  app.add_option("--url", session.flags.url, "Address of the server, http://HOST:PORT or https://... (YM_URL)");
  app.add_option("--context", session.flags.context, "Server that you are logged in to, by its name (YM_CONTEXT)");
  app.add_option("--ca-file", session.flags.ca_file,
                 "Authorities that may have signed the server's certificate, PEM (YM_CA_FILE); default: the system's");
  app.add_option("--fingerprint", session.flags.fingerprint,
                 "The server shows exactly this certificate, sha256:... (YM_FINGERPRINT)");
  app.add_option("--token", session.flags.token,
                 "Token; other users can see it in the process list, so prefer YM_TOKEN_FILE");
  app.add_option("-o,--output", format, "table, wide, json, yaml or name")
      ->check(one_of({"table", "wide", "json", "yaml", "name"}));
  for (const auto* flag : {"--url", "--token", "--output"}) app.get_option(flag)->group("Common options");
}

// Adds the options to each verb, so that its help shows them. Verbs that call no server have none.
void add_to_verbs(CLI::App& app, const std::function<void(CLI::App&)>& add) {
  for (auto* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (verb->get_name() == "serve") continue;
    if (verb->get_option_no_throw("--output") == nullptr) add(*verb);
    add_to_verbs(*verb, add);
  }
}

// `ym help submit` is `ym submit --help`.
void rewrite_help(std::vector<std::string>& words) {
  if (words.empty() || words.front() != "help") return;
  words.erase(words.begin());
  words.emplace_back("--help");
}

int parse_error(const CLI::App& app, const CLI::ParseError& error, Session& session) {
  const bool asked = error.get_exit_code() == 0;  // --help, --version
  // For an unknown verb CLI11 would print the help of the whole program.
  if (asked && unknown_verb(app).empty()) {
    app.exit(error, session.out, session.err);
    return 0;
  }
  session.err << "ym: " << refusal_of(app, error) << "\nRun ym --help, or ym VERB --help, for more.\n";
  return to_int(ExitCode::usage);
}

}  // namespace

CLI::App* Verbs::add(const std::string& name, const std::string& help) { return app.add_subcommand(name, help); }

int run_words(std::vector<std::string> words, Session& session) {
  CLI::App app("Yardmaster: one queue for all of a team's GPUs", "ym");
  app.footer(std::string(kFooter));
  app.set_version_flag("--version", "ym " YM_VERSION, "Show the version");
  rewrite_help(words);
  app.require_subcommand(1);
  app.fallthrough();  // global flags may follow the verb; verbs added below inherit this
  std::string format = "table";
  add_global_flags(app, session, format);
  Verbs verbs{.app = app, .chosen = {}, .program = {}, .add_global_flags = [&](CLI::App& verb) {
                add_global_flags(verb, session, format);
              }};
  // Words after `--` belong to the job. CLI11 would look for options of `ym` among them.
  const auto dashes = std::ranges::find(words, "--");
  if (dashes != words.end() && std::ranges::find(words.begin(), dashes, "run") != dashes) {
    verbs.program.assign(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  for (const auto add :
       {add_run,      add_submit,   add_convert,  add_ps,     add_get,     add_why,         add_events, add_logs,
        add_wait,     add_act,      add_queue,    add_policy, add_nodes,   add_reservation, add_token,  add_role,
        add_project,  add_identity, add_login,    add_auth,   add_audit,   add_history,     add_admin,  add_schema,
        add_simulate, add_forecast, add_capacity, add_replay, add_migrate, add_server})
    add(verbs);
  add_to_verbs(app, verbs.add_global_flags);
  try {
    std::ranges::reverse(words);  // CLI11 reads the words from the back
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return parse_error(app, error, session);
  }
  session.format = parse_enum<Format>(format).value_or(Format::table);
  return verbs.chosen(session);
}

}  // namespace ym::cli
