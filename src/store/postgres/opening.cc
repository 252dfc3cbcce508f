#include "store/postgres/opening.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <random>

#include "store/postgres/home.h"
#include "store/postgres/migrations.h"

namespace ym::postgres {
namespace {

std::string holder_of(const PostgresOptions& options) {
  std::random_device random;
  const auto run = std::uint64_t{random()} << 32 | random();
  if (!options.name.empty()) return fmt::format("{} (run {:016x})", options.name, run);
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("{}, process {} (run {:016x})", host.data(), ::getpid(), run);
}

Result<void> check_version(Connection& connection, const PostgresOptions& options) {
  const auto version = known_version(connection);
  if (!version) return std::unexpected(version.error());
  if (*version > 0) return {};
  if (options.initialise) return migrate(connection, options.schema);
  return fail(ErrorCode::corrupt,
              fmt::format("{}: there is no state of Yardmaster. Nothing was changed. If you expect one, check "
                          "the address and the schema; start `ym serve` with `--init` to begin with an empty state",
                          connection.place()));
}

Result<void> check_at_home(Connection& connection, const PostgresOptions& options) {
  if (options.take_over) return {};
  const auto home = other_home(connection);
  if (!home) return std::unexpected(home.error());
  return *home ? std::unexpected(refused_copy(connection, **home)) : Result<void>();
}

// Durability depends on these settings. A wrong one leads to a warning.
Result<void> warn_of_settings(Connection& connection, const PostgresOptions& options) {
  struct Setting {
    std::string_view name, value, consequence;
  };
  constexpr std::array kWeak{
      Setting{"fsync", "off", "what was acknowledged is lost when the database's machine fails"},
      Setting{"full_page_writes", "off", "the database may be damaged when its machine fails"},
      Setting{"data_checksums", "off", "pages that the disk damages are not noticed"},
      Setting{"synchronous_standby_names", "",
              "there is no synchronous standby: the last acknowledged changes are lost with the database's disk"}};
  if (!options.warn) return {};
  for (const auto& [name, value, consequence] : kWeak) {
    Parameters parameters;
    const auto rows =
        connection.run("SELECT 1 WHERE current_setting($1) = $2", parameters.add_text(name).add_text(value));
    if (!rows) return std::unexpected(rows.error());
    if (rows->size() == 1)
      options.warn(fmt::format("{} has {} = '{}': {}", connection.place(), name, value, consequence));
  }
  return {};
}

}  // namespace

ConnectionOptions connection_of(const PostgresOptions& options, Access access) {
  return {.conninfo = options.conninfo,
          .schema = options.schema,
          .access = access,
          .answer_timeout = options.answer_timeout};
}

Result<LeadingSession> open_to_lead(const PostgresOptions& options) {
  const auto writer = connection_of(options, Access::write);
  auto connection = Connection::open(writer);
  if (!connection) return std::unexpected(connection.error());
  if (auto checked = check_version(**connection, options); !checked) return std::unexpected(checked.error());
  if (auto at_home = check_at_home(**connection, options); !at_home) return std::unexpected(at_home.error());
  const Claim claim{.holder = holder_of(options), .url = options.url, .lease = options.lease};
  const auto term = take_lead(**connection, From::anyone, claim);
  if (!term) return std::unexpected(term.error());
  if (auto migrated = migrate(**connection, options.schema); !migrated) return std::unexpected(migrated.error());
  if (auto settled = settle(**connection, options.take_over); !settled) return std::unexpected(settled.error());
  if (auto warned = warn_of_settings(**connection, options); !warned) return std::unexpected(warned.error());
  return LeadingSession({writer, claim, options.wait_timeout, options.outcome_timeout, options.stop},
                        std::move(*connection), *term);
}

}  // namespace ym::postgres
