#include "executor/slurm/client/rest_client.h"

#include <fmt/format.h>

#include <utility>

#include "executor/slurm/client/rest_json.h"

namespace ym::slurm {
namespace {

class RestClient final : public SlurmClient {
 public:
  RestClient(SlurmOptions options, std::unique_ptr<net::HttpClient> http, std::unique_ptr<SlurmClient> others)
      : options_(std::move(options)), http_(std::move(http)), others_(std::move(others)) {}

  // Never repeated here: only the caller can first check whether the job exists.
  std::expected<std::int64_t, SubmitError> submit(const Submission& submission) override {
    const auto reply = http_->send({.method = "POST",
                                    .target = path("job/submit"),
                                    .headers = {{"Content-Type", "application/json"}},
                                    .body = rest_submission(submission, options_),
                                    .timeout = options_.command_timeout});
    if (!reply) return std::unexpected(SubmitError{SubmitError::Kind::unclear, reply.error().message});
    return parse_rest_submitted(reply->status, reply->body);
  }

  Result<std::vector<JobRow>> jobs() override {
    const auto text = get("jobs");
    if (!text) return std::unexpected(text.error());
    return parse_rest_jobs(*text, options_.rest.user);
  }

  Result<std::vector<NodeRow>> nodes() override {
    const auto text = get("nodes");
    if (!text) return std::unexpected(text.error());
    return parse_rest_nodes(*text);
  }

  Result<std::vector<JobRow>> history(std::span<const std::string> names, Instant since) override {
    return others_->history(names, since);
  }
  Result<Facts> facts() override { return others_->facts(); }

  Result<void> cancel(std::span<const std::int64_t> ids, bool hard) override {
    for (const auto id : ids) {
      const auto reply = http_->send({.method = "DELETE",
                                      .target = path(fmt::format("job/{}{}", id, hard ? "?signal=KILL" : "")),
                                      .timeout = options_.command_timeout});
      if (!reply) return std::unexpected(reply.error());
      // For some versions the cancel of an ended job is an error, for others not.
      if (reply->status == 401 || reply->status == 403)
        return fail(ErrorCode::forbidden, fmt::format("slurmrestd answers {} to a cancel", reply->status));
    }
    return {};
  }

 private:
  std::string path(std::string_view what) const { return fmt::format("/slurm/{}/{}", options_.rest.version, what); }

  Result<std::string> get(std::string_view what) {
    auto reply = http_->send({.target = path(what), .timeout = options_.command_timeout});
    if (!reply) return std::unexpected(reply.error());
    if (reply->status == 200) return std::move(reply->body);
    return fail(ErrorCode::unavailable, fmt::format("slurmrestd answers {} to {}", reply->status, path(what)));
  }

  SlurmOptions options_;
  std::unique_ptr<net::HttpClient> http_;
  std::unique_ptr<SlurmClient> others_;
};

}  // namespace

std::unique_ptr<SlurmClient> make_rest_client(SlurmOptions options, std::unique_ptr<net::HttpClient> http,
                                              std::unique_ptr<SlurmClient> others) {
  return std::make_unique<RestClient>(std::move(options), std::move(http), std::move(others));
}

Result<std::unique_ptr<SlurmClient>> make_rest_client(const SlurmOptions& options,
                                                      std::unique_ptr<SlurmClient> others) {
  net::ClientOptions to{.url = options.rest.url};
  if (!options.rest.jwt.empty())
    to.headers = [rest = options.rest] {
      return std::map<std::string, std::string>{{"X-SLURM-USER-NAME", rest.user},
                                                {"X-SLURM-USER-TOKEN", rest.jwt.reveal()}};
    };
  auto http = net::HttpClient::make(std::move(to));
  if (!http) return std::unexpected(http.error());
  return make_rest_client(options, std::move(*http), std::move(others));
}

}  // namespace ym::slurm
