#include "cli/submit.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "cli/http/url.h"
#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/term/text.h"
#include "cli/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

// A text that is one JSON object goes as such: JSON writes some characters as pairs of
// escapes, which YAML does not know.
std::string content_type_of(const std::string& text) {
  boost::system::error_code bad;
  const auto value = json::parse(text, bad);
  return !bad && value.is_object() ? "application/json" : "application/yaml";
}

struct SubmitOptions {
  std::string file;
  std::string key;
};

}  // namespace

std::string new_idempotency_key() {
  std::random_device device;
  std::string key;
  for (int i = 0; i < 4; ++i) key += fmt::format("{:08x}", device());
  return key;
}

Result<std::string> read_input(Session& session, const std::string& path) {
  constexpr std::size_t kLargest = std::size_t{1} << 20;
  std::ifstream file;
  if (path != "-") {
    file.open(path, std::ios::binary);
    std::error_code ignored;
    if (!file || std::filesystem::is_directory(path, ignored))
      return fail(ErrorCode::invalid, fmt::format("cannot read {}", path));
  }
  std::string text(kLargest + 1, '\0');
  auto& stream = path == "-" ? session.in : file;
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kLargest) return fail(ErrorCode::invalid, fmt::format("{} is longer than 1 MiB", path));
  return text;
}

// A submit whose answer was lost is safe to send again: the key makes one job of it.
Result<json::value> post_jobs(Session& session, const std::string& target, const PostBody& body) {
  constexpr std::int64_t kTries = 4;
  Result<json::value> reply = fail(ErrorCode::unavailable, "not sent");
  for (std::int64_t i = 0; i < kTries && !session.interrupted(); ++i) {
    if (i > 0) session.sleep(Duration{250 << i});
    auto api = session.connect();
    if (!api) return std::unexpected(api.error());
    reply = api->post(target, body);
    if (reply || reply.error().code != ErrorCode::unavailable) return reply;
  }
  reply.error().message +=
      fmt::format("; whether the job was submitted is not known. Submitting it again with --idempotency-key {} is safe",
                  body.idempotency_key);
  return reply;
}

namespace {

int submit(Session& session, const SubmitOptions& options) {
  const auto text = read_input(session, options.file);
  if (!text) return report(session, text.error());
  const PostBody body{.content = *text,
                      .content_type = content_type_of(*text),
                      .idempotency_key = options.key.empty() ? new_idempotency_key() : options.key};
  const auto here = std::filesystem::current_path().string();
  const auto reply = post_jobs(session, target("/api/v1/jobs", {{"workdir", here}}), body);
  if (!reply) return report(session, reply.error());
  const auto& list = member(*reply, "items");
  const json::array jobs = list.is_array() ? items_of(list) : json::array{*reply};
  if (session.format == Format::name) {
    for (const auto& job : jobs) session.out << id_of(job) << '\n';
  } else if (!session.is_table()) {
    session.print(jobs);
  } else {
    job_table(jobs, session.now(), session.format == Format::wide).print(session.out, session.terminal.width);
  }
  return 0;
}

}  // namespace

void add_submit(Verbs& verbs) {
  auto options = std::make_shared<SubmitOptions>();
  auto* verb = verbs.app.add_subcommand("submit", "Submit the jobs of a file (YAML or JSON); all of them or none");
  verb->add_option("FILE", options->file, "A job file; - for standard input")->required();
  verb->add_option("--idempotency-key", options->key, "The same key submits the same jobs only once");
  verbs.on(verb, options, submit);
}

}  // namespace ym::cli
