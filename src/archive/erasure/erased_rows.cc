#include "archive/erasure/erased_rows.h"

#include <boost/json/parse.hpp>
#include <map>
#include <memory>
#include <utility>

#include "model/json/codec.h"

namespace ym {
namespace {

namespace bj = boost::json;

constexpr std::size_t kJobsAtOnce = 500;

Result<bj::object> document_of(const std::string& text) {
  bj::error_code error;
  auto value = bj::parse(text, error, {}, {.allow_invalid_utf8 = true});
  if (error || !value.is_object()) return fail(ErrorCode::corrupt, "a stored row is no object of JSON");
  return std::move(value.get_object());
}

class ErasedJobs {
 public:
  ErasedJobs(StoreReader& reader, Redaction& redaction, Rewrite& rewrite, Commit& commit)
      : reader_(reader), redaction_(redaction), rewrite_(rewrite), commit_(commit) {}

  Result<void> take(const Job& job) {
    auto document = document_of(json::encode(job));
    if (!document) return std::unexpected(document.error());
    const bool changed = redaction_.job(*document);
    const bool own = redaction_.is_own(job.id);
    const auto spec = own && !redaction_.person().keep_jobs ? spec_of(job) : job.spec;
    if (changed || own) {
      auto now = json::decode_job(*document, spec);
      if (!now) return std::unexpected(now.error());
      commit_.jobs.emplace_back(std::make_shared<const Job>(std::move(*now)));
    }
    return own ? take_attempts(job.id) : Result<void>();
  }

 private:
  // The jobs of an array share one.
  std::shared_ptr<const JobSpec> spec_of(const Job& job) {
    auto& spec = specs_[job.spec_id];
    if (!spec) {
      spec = std::make_shared<const JobSpec>(without_words(*job.spec));
      rewrite_.specs.emplace_back(job.spec_id, spec);
    }
    return spec;
  }

  Result<void> take_attempts(JobId job) {
    const auto attempts = reader_.attempts(job);
    if (!attempts) return std::unexpected(attempts.error());
    for (const Attempt& attempt : *attempts) {
      auto document = document_of(json::encode(attempt));
      if (!document) return std::unexpected(document.error());
      if (!redaction_.attempt(*document)) continue;
      auto now = json::decode_attempt(*document);
      if (!now) return std::unexpected(now.error());
      commit_.attempts.emplace_back(std::make_shared<const Attempt>(std::move(*now)));
    }
    return {};
  }

  StoreReader& reader_;
  Redaction& redaction_;
  Rewrite& rewrite_;
  Commit& commit_;
  std::map<SpecId, std::shared_ptr<const JobSpec>> specs_;
};

}  // namespace

Result<void> erase_in_jobs(StoreReader& reader, Redaction& redaction, Rewrite& rewrite, Commit& commit) {
  ErasedJobs erased(reader, redaction, rewrite, commit);
  JobFilter filter;
  for (;;) {
    const auto page = reader.jobs(filter, kJobsAtOnce);
    if (!page) return std::unexpected(page.error());
    if (page->empty()) return {};
    for (const Job& job : *page)
      if (auto taken = erased.take(job); !taken) return taken;
    filter.before = page->back().id;
  }
}

Result<void> learn_bindings(const Tables& tables, Redaction& redaction) {
  for (const auto& [name, row] : tables.bindings) {
    auto document = document_of(json::encode(row));
    if (!document) return std::unexpected(document.error());
    redaction.row(Binding::kTable, *document);
  }
  return {};
}

Result<void> erase_in_tables(Tables& tables, Redaction& redaction, Commit& commit) {
  Result<void> done;
  each_named(tables, [&]<class Row>(NamedRows<Row>& rows) {
    auto& changes = commit.of<Row>();
    for (const auto& [name, row] : NamedRows<Row>(rows)) {
      auto document = done ? document_of(json::encode(row)) : std::unexpected(done.error());
      if (document && !redaction.row(Row::kTable, *document)) continue;
      auto now = document ? json::decode_row<Row>(*document) : std::unexpected(document.error());
      if (!now) return void(done = std::unexpected(now.error()));
      rows.erase(name);
      if (now->name != name) changes.removed.push_back(name);
      changes.set.push_back(*now);
      rows.insert_or_assign(now->name, std::move(*now));
    }
  });
  return done;
}

}  // namespace ym
