#include "recording/lines.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "model/json/codec.h"

namespace ym {
namespace {

namespace bj = boost::json;  // json is ours

std::string quoted(std::string_view text) { return bj::serialize(bj::value(bj::string(text))); }

template <class Rows>
void add_rows(std::string& text, std::string_view name, const Rows& rows) {
  for (const auto& [key, row] : rows) text += fmt::format("{{\"{}\":{}}}\n", name, json::encode(row));
}

std::string digest_of(std::string_view text) {
  std::array<unsigned char, 16> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  std::string hex;
  for (const auto byte : hash) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace

DecidedLine decided_line(Instant now, const engine::Plan& plan) {
  DecidedLine line{.now = now, .version = plan.version, .digest = digest_of(to_text(plan)), .decisions = {}};
  for (const auto& decision : plan.decisions) line.decisions.push_back(to_text(decision));
  return line;
}

std::string LineWriter::spec(SpecId id, const JobSpec& spec) {
  if (!known_.insert(id).second) return {};
  return fmt::format("{{\"spec\":{{\"id\":{},\"spec\":{}}}}}\n", id.value, json::encode(spec));
}

std::string LineWriter::opening(const Tables& tables, const engine::Policy& policy, std::string_view version) {
  std::string text = fmt::format("{{\"recording\":{{\"format\":1,\"version\":{}}}}}\n", quoted(version));
  text += fmt::format("{{\"tables\":{{\"last_seq\":{},\"last_id\":{},\"epoch\":{},\"last_time\":{}}}}}\n",
                      tables.last_seq, tables.last_id, tables.epoch, tables.last_time.ms);
  each_named(tables, [&]<class Row>(const NamedRows<Row>& rows) { add_rows(text, line_of<Row>(), rows); });
  for (const auto& [id, job] : tables.jobs) {
    text += spec(job.spec_id, *job.spec);
    text += fmt::format("{{\"job\":{}}}\n", json::encode(job));
  }
  add_rows(text, "attempt", tables.attempts);
  return text + LineWriter::policy(policy);
}

std::string LineWriter::event(const Event& event) {
  std::string text;
  if (const auto* submitted = std::get_if<JobSubmitted>(&event.payload))
    text = spec(submitted->job.spec_id, *submitted->job.spec);
  return text +
         fmt::format("{{\"event\":{{\"seq\":{},\"time\":{},\"type\":{},\"actor\":{},\"reason\":{},\"payload\":{}}}}}\n",
                     event.seq, event.time.ms, quoted(type_name(event.payload)), quoted(event.actor),
                     quoted(event.reason), json::encode(event.payload));
}

std::string LineWriter::decided(const DecidedLine& line) {
  std::string decisions;
  for (const auto& decision : line.decisions) decisions += (decisions.empty() ? "" : ",") + quoted(decision);
  return fmt::format("{{\"decided\":{{\"now\":{},\"version\":{},\"digest\":\"{}\",\"decisions\":[{}]}}}}\n",
                     line.now.ms, line.version, line.digest, decisions);
}

std::string LineWriter::missed(std::int64_t decisions) { return fmt::format("{{\"missed\":{}}}\n", decisions); }

Result<DecidedLine> read_decided(const bj::value& value) {
  try {
    const auto& object = value.as_object();
    DecidedLine line{.now = {object.at("now").to_number<std::int64_t>()},
                     .version = object.at("version").to_number<std::uint64_t>(),
                     .digest = std::string(object.at("digest").as_string()),
                     .decisions = {}};
    for (const auto& decision : object.at("decisions").as_array()) line.decisions.emplace_back(decision.as_string());
    return line;
  } catch (const std::exception& error) {
    return fail(ErrorCode::corrupt, std::string("a decision cannot be read: ") + error.what());
  }
}

}  // namespace ym
