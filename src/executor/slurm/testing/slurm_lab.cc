#include "executor/slurm/testing/slurm_lab.h"

#include <fmt/format.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "executor/remote/testing/free_ports.h"
#include "executor/slurm/client/command_runner.h"

namespace ym::slurm::testing {
namespace {

namespace fs = std::filesystem;

// The name of a daemon decides what it is; if a package diverts it, the real one has another name.
std::string program(const std::string& name) {
  for (const char* folder : {"/usr/sbin/", "/usr/bin/", "/usr/local/sbin/"})
    for (const auto& candidate : {folder + name + "-wlm", folder + name})
      if (fs::exists(candidate)) return candidate;
  return {};
}

std::string slurp(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

bool until(const std::function<bool()>& holds, int tenths = 1200) {
  for (int i = 0; i < tenths; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

bool ends(const fs::path& pid_file, int signal) {
  const auto pid = std::atoi(slurp(pid_file).c_str());
  if (pid <= 1) return true;
  ::kill(pid, signal);
  const bool gone = until(
      [&] { return ::kill(pid, 0) != 0 || slurp(fmt::format("/proc/{}/stat", pid)).find(") Z") != std::string::npos; },
      150);
  if (!gone) ::kill(pid, SIGKILL);
  fs::remove(pid_file);
  return gone;
}

void random_file(const fs::path& file, int bytes) {
  std::random_device seed;
  std::ofstream out(file, std::ios::binary);
  for (int i = 0; i < bytes; ++i) out.put(static_cast<char>(seed()));
  out.close();
  fs::permissions(file, fs::perms::owner_read);
}

// Steps outlive a killed daemon; the configuration in their environment identifies them.
void end_steps(const std::string& conf) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator("/proc", none)) {
    const auto pid = std::atoi(entry.path().filename().c_str());
    if (pid <= 1) continue;
    const auto env = slurp(entry.path() / "environ");
    if (env.find("SLURM_CONF=" + conf) == std::string::npos) continue;
    if (env.find("SLURM_JOB_ID=") != std::string::npos || slurp(entry.path() / "comm") == "slurmstepd\n")
      ::kill(pid, SIGKILL);
  }
}

}  // namespace

std::string SlurmLab::host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  const std::string whole = name.data();
  return whole.substr(0, whole.find('.'));
}

std::string SlurmLab::missing() {
  for (const char* name : {"slurmctld", "slurmd", "slurmstepd", "munged", "sbatch", "squeue", "scontrol"})
    if (program(name).empty()) return fmt::format("{} is not installed", name);
  return {};
}

Result<std::unique_ptr<SlurmLab>> SlurmLab::start(const LabOptions& options) {
  std::unique_ptr<SlurmLab> lab{new SlurmLab};
  if (const auto ready = lab->boot(options); !ready) return std::unexpected(ready.error());
  return lab;
}

void SlurmLab::write_conf(const LabOptions& options) const {
  const auto* user = ::getpwuid(::geteuid());
  const auto host = host_name();
  std::map<std::string, std::string> last;
  std::vector<std::string> lines;
  const auto base = fmt::format(
      "ClusterName=lab\nSlurmctldHost={0}(127.0.0.1)\nSlurmctldPort={1}\nSlurmUser={2}\nSlurmdUser={2}\n"
      "AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={3}/munge.sock\n"
      "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny\nStateSaveLocation={3}/state\nSlurmdSpoolDir={3}/spool/%n\n"
      "SlurmctldPidFile={3}/run/slurmctld.pid\nSlurmdPidFile={3}/run/slurmd-%n.pid\nSlurmctldLogFile={3}/log/"
      "slurmctld.log\n"
      "SlurmdLogFile={3}/log/%n.log\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
      "JobAcctGatherType=jobacct_gather/none\nMpiDefault=none\nSelectType=select/cons_tres\n"
      "SelectTypeParameters=CR_Core_Memory\nSchedulerType=sched/backfill\nPriorityType=priority/basic\nGresTypes=gpu\n"
      "SlurmdParameters=config_overrides\nReturnToService=2\nSlurmctldTimeout=30\nSlurmdTimeout=30\nKillWait="
      "2\nMinJobAge=300\n"
      "MaxJobCount=100000\nDefMemPerCPU=64\n{4}",
      host, port_, user == nullptr ? "root" : user->pw_name, folder_.string(), options.conf);
  std::istringstream in(base);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("PartitionName=")) lines.push_back(line);
    else if (!line.empty()) last[line.substr(0, line.find('='))] = line;
  std::ofstream out(conf());
  for (const auto& [name, line] : last) out << line << '\n';
  out << cloud_conf(options) << accounts_conf(options);
  out << fmt::format(
      "NodeName=n[1-{0}] NodeHostname={1} NodeAddr=127.0.0.1 Port=[{2}-{3}] CPUs={4} Sockets=1 "
      "CoresPerSocket={4} ThreadsPerCore=1 RealMemory=64000 Gres=gpu:h100:{5} Feature=rack=r1 State=UNKNOWN\n"
      "PartitionName=train Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=01:00:00 State=UP\n",
      options.nodes, host, port_ + 1, port_ + options.nodes, options.cpus, options.gpus);
  for (const auto& line : lines) out << line << '\n';
  std::ofstream(folder_ / "etc/gres.conf")
      << fmt::format("Name=gpu Type=h100 File={}/dev/gpu[0-{}]\n", folder_.string(), options.gpus - 1);
}

Result<void> SlurmLab::boot(const LabOptions& options) {
  std::string pattern = (fs::temp_directory_path() / "ym-slurm-lab.XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return fail(ErrorCode::io, "no folder for a lab");
  folder_ = pattern;
  fs::permissions(folder_, fs::perms{0755});
  for (const char* name : {"etc", "run", "log", "state", "spool", "dev", "bin"}) fs::create_directories(folder_ / name);
  for (const char* name : {"slurmctld", "slurmd", "slurmstepd"})
    fs::create_symlink(program(name), folder_ / "bin" / name);
  for (int i = 0; i < options.gpus; ++i) fs::create_symlink("/dev/null", folder_ / fmt::format("dev/gpu{}", i));
  random_file(folder_ / "etc/munge.key", 256);
  // One for the controller, then one for each node, and two for the accounting.
  port_ = ym::testing::free_ports(options.nodes + options.cloud + 3);
  write_conf(options);
  run({program("munged"), "--force", "--num-threads=4", fmt::format("--socket={}/munge.sock", folder_.string()),
       fmt::format("--key-file={}/etc/munge.key", folder_.string()),
       fmt::format("--pid-file={}/run/munged.pid", folder_.string()),
       fmt::format("--log-file={}/log/munged.log", folder_.string()),
       fmt::format("--seed-file={}/run/munge.seed", folder_.string())});
  if (options.accounts) start_accounts(options);
  start_controller();
  for (int i = 1; i <= options.nodes; ++i) start_node(fmt::format("n{}", i));
  const auto idle = [&] {
    std::istringstream states(run({"sinfo", "-h", "-N", "-p", "train", "-o", "%T"}));
    int count = 0;
    for (std::string state; states >> state;) count += state == "idle" ? 1 : 0;
    return count == options.nodes;
  };
  if (!until(idle))
    return fail(ErrorCode::unavailable, "the nodes of the lab do not come up: " + run({"sinfo", "-N", "-l"}));
  return {};
}

SlurmLab::~SlurmLab() {
  if (folder_.empty()) return;
  std::error_code none;
  if (fs::exists(folder_ / "run/slurmrestd.pid", none)) ends(folder_ / "run/slurmrestd.pid", SIGTERM);
  ends(folder_ / "run/slurmctld.pid", SIGKILL);
  for (const auto& entry : fs::directory_iterator(folder_ / "run", none))
    if (entry.path().filename().string().starts_with("slurmd-")) ends(entry.path(), SIGKILL);
  end_steps(conf());
  for (const char* name : {"run/slurmdbd.pid", "run/mariadb.pid"})
    if (fs::exists(folder_ / name, none)) ends(folder_ / name, SIGTERM);
  ends(folder_ / "run/munged.pid", SIGTERM);
  if (std::getenv("YM_KEEP_LAB") == nullptr) fs::remove_all(folder_, none);
}

void SlurmLab::kill_controller() { ends(folder_ / "run/slurmctld.pid", SIGKILL); }

void SlurmLab::start_controller() {
  run({folder_ / "bin/slurmctld", "-f", conf()});
  until([&] {
    const auto said = run_command({.argv = {"scontrol", "ping"}, .env = env()});
    return said && said->output.find("is UP") != std::string::npos;
  });
}

void SlurmLab::keep_state() const { run({"cp", "-a", folder_ / "state", folder_ / "state.kept"}); }

void SlurmLab::restore_state() const {
  fs::remove_all(folder_ / "state");
  fs::rename(folder_ / "state.kept", folder_ / "state");
}

void SlurmLab::kill_node(const std::string& name) { ends(folder_ / fmt::format("run/slurmd-{}.pid", name), SIGKILL); }

void SlurmLab::start_node(const std::string& name) {
  run({folder_ / "bin/slurmd", "-N", name, "-d", folder_ / "bin/slurmstepd", "-f", conf()});
}

bool SlurmLab::start_rest() {
  const auto rest = program("slurmrestd");
  if (rest.empty()) return false;
  const auto socket = folder_ / "rest.sock";
  constexpr const char* kRest =
      "\"$0\" -f \"$1\" -a rest_auth/local -s openapi/v0.0.38 \"unix:$2\" >\"$3/log/slurmrestd.log\" 2>&1 & echo $! "
      ">\"$3/run/slurmrestd.pid\"";
  run({"sh", "-c", kRest, rest, conf(), socket, folder_});
  return until([&] { return fs::exists(socket); });
}

std::map<std::string, std::string> SlurmLab::env() const {
  return {
      {"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}, {"SLURM_CONF", conf()}, {"SLURMRESTD_SECURITY", "disable_user_check"}};
}

std::string SlurmLab::run(std::vector<std::string> argv, const std::string& input) const {
  const auto what = argv.front();
  auto end = run_command({.argv = std::move(argv), .env = env(), .input = input, .timeout = minutes(3)});
  if (!end) throw std::runtime_error(end.error().message);
  if (end->status != 0) throw std::runtime_error(fmt::format("{} failed: {}{}", what, end->output, end->errors));
  return end->output;
}

namespace fs = std::filesystem;

// The cloud: two scripts, which start and end a slurmd. Slurm gets the address of each machine, as from a real cloud,
// and shows nodes that are off.
std::string SlurmLab::cloud_conf(const LabOptions& options) const {
  if (options.cloud == 0) return {};
  const auto script = [&](const char* name, const std::string& each) {
    std::ofstream(folder_ / "bin" / name) << fmt::format(
        "#!/bin/sh\nexec </dev/null >>{3}/log/power.log 2>&1\n"
        "export SLURM_CONF={0} PATH=/usr/sbin:/usr/bin:/sbin:/bin\n"
        "for node in $(scontrol show hostnames \"$1\"); do\n  {1}\n  echo {2} $node\ndone\n",
        conf(), each, name, folder_.string());
    fs::permissions(folder_ / "bin" / name, fs::perms{0755});
    return (folder_ / "bin" / name).string();
  };
  const auto resume =
      script("resume", fmt::format("sleep 3\n  {0}/bin/slurmd -b -N $node -d {0}/bin/slurmstepd -f {1}\n"
                                   "  scontrol update nodename=$node nodeaddr=127.0.0.1 nodehostname={2}",
                                   folder_.string(), conf(), host_name()));
  const auto suspend = script("suspend", fmt::format("kill $(cat {}/run/slurmd-$node.pid)", folder_.string()));
  return fmt::format(
      "PrivateData=cloud\nResumeProgram={0}\nSuspendProgram={1}\nResumeTimeout=60\nSuspendTimeout=12\nSuspendTime=6\n"
      "SuspendExcNodes=n[1-{2}]\n"
      "NodeName=c[1-{3}] NodeHostname={4} NodeAddr=127.0.0.1 Port=[{5}-{6}] CPUs={7} Sockets=1 CoresPerSocket={7} "
      "ThreadsPerCore=1 RealMemory=64000 Gres=gpu:h100:{8} State=CLOUD\n",
      resume, suspend, options.nodes, options.cloud, host_name(), port_ + options.nodes + 1,
      port_ + options.nodes + options.cloud, options.cpus, options.gpus);
}

}  // namespace ym::slurm::testing
