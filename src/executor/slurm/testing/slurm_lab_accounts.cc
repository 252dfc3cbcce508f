// SlurmLab: accounting in a database that is deleted at the end.
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "executor/slurm/client/command_runner.h"
#include "executor/slurm/testing/slurm_lab.h"

namespace ym::slurm::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kBesideNodes = 1;  // the port of the controller

constexpr const char* kDatabase =
    "mariadb-install-db --no-defaults --user=$(id -un) --datadir=\"$0\" --auth-root-authentication-method=normal "
    ">/dev/null 2>&1 && exec setsid mariadbd --no-defaults --user=$(id -un) --datadir=\"$0\" --socket=\"$1\" "
    "--bind-address=127.0.0.1 --port=$2 --pid-file=\"$3\" --innodb-buffer-pool-size=64M "
    "--innodb-lock-wait-timeout=900 </dev/null >\"$4\" 2>&1 &";

int first_port(int port, const LabOptions& options) { return port + options.nodes + options.cloud + kBesideNodes; }

}  // namespace

std::string SlurmLab::missing_accounts() {
  for (const char* name : {"slurmdbd", "mariadbd"})
    if (!fs::exists(fs::path("/usr/sbin") / name)) return fmt::format("{} is not installed", name);
  return {};
}

std::string SlurmLab::accounts_conf(const LabOptions& options) const {
  if (!options.accounts) return {};
  return fmt::format(
      "AccountingStorageType=accounting_storage/slurmdbd\nAccountingStorageHost=127.0.0.1\nAccountingStoragePort={}\n"
      "AccountingStoragePass={}/munge.sock\nAccountingStoreFlags=job_comment\n",
      first_port(port_, options), folder_.string());
}

void SlurmLab::start_accounts(const LabOptions& options) const {
  const auto in = [&](const char* name) { return (folder_ / name).string(); };
  const int port = first_port(port_, options);
  const auto until_done = [&](const std::vector<std::string>& argv) {
    for (int i = 0; i < 150; ++i) {
      const auto end = run_command({.argv = argv, .env = env()});
      if (end && end->status == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    throw std::runtime_error(argv.front() + " does not succeed");
  };
  run({"sh", "-c", kDatabase, in("db"), in("run/db.sock"), std::to_string(port + 1), in("run/mariadb.pid"),
       in("log/mariadb.log")});
  const std::vector<std::string> client{"mariadb", "--no-defaults", "-S", in("run/db.sock"), "-uroot", "-e"};
  const auto sql = [&](const std::string& statement) {
    auto argv = client;
    argv.push_back(statement);
    until_done(argv);
  };
  sql("select 1");
  sql("create database if not exists slurm_acct_db; create user if not exists slurm@'127.0.0.1' identified by 'lab'; "
      "grant all on slurm_acct_db.* to slurm@'127.0.0.1'");
  const auto file = folder_ / "etc/slurmdbd.conf";
  std::ofstream(file) << fmt::format(
      "AuthType=auth/munge\nAuthInfo=socket={0}/munge.sock\nDbdHost={1}\nDbdAddr=127.0.0.1\nDbdPort={2}\n"
      "CommunicationParameters=NoInAddrAny\nSlurmUser={3}\nPidFile={0}/run/slurmdbd.pid\n"
      "LogFile={0}/log/slurmdbd.log\nStorageType=accounting_storage/mysql\nStorageHost=127.0.0.1\nStoragePort={4}\n"
      "StorageUser=slurm\nStoragePass=lab\nStorageLoc=slurm_acct_db\n",
      folder_.string(), host_name(), port, run({"id", "-un"}).substr(0, run({"id", "-un"}).find('\n')), port + 1);
  fs::permissions(file, fs::perms{0600});
  run({"slurmdbd"});
  until_done({"sacctmgr", "-iQ", "add", "cluster", "lab"});
}

}  // namespace ym::slurm::testing
