#include "spec/convert/convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/convert/document.h"
#include "spec/convert/kubernetes/kinds.h"
#include "spec/convert/sbatch/sbatch.h"
#include "spec/documents.h"
#include "spec/text/text_check.h"

namespace ym {
namespace {

using convert::Draft;
using convert::Remarks;
using spec::Field;
using spec::Value;

constexpr std::string_view kKinds = "JobSet, TrainJob, PyTorchJob and Job of Kubernetes, and scripts for sbatch";

struct Kind {
  std::string_view name, group, version;
};
constexpr std::array<Kind, 6> kKnown{{{"Job", "batch", "v1"},
                                      {"JobSet", "jobset.x-k8s.io", "v1alpha2"},
                                      {"PyTorchJob", "kubeflow.org", "v1"},
                                      {"TrainJob", "trainer.kubeflow.org", "v1alpha1"},
                                      {"TrainingRuntime", "trainer.kubeflow.org", "v1alpha1"},
                                      {"ClusterTrainingRuntime", "trainer.kubeflow.org", "v1alpha1"}}};

// The manifests of one text, and the jobs made from them.
class Manifests {
 public:
  explicit Manifests(const std::vector<Value>& documents) {
    for (std::size_t i = 0; i < documents.size(); ++i)
      add({&documents[i], documents.size() > 1 ? fmt::format("/{}", i) : "", &problems_});
  }

  Result<Conversion> convert() {
    for (const auto& each : all_) convert_one(each);
    if (problems_.empty() && jobs_.empty())
      return fail(ErrorCode::invalid, fmt::format("has nothing to make a job of; known are {}", kKinds));
    if (!problems_.empty()) return std::unexpected(problems_.error());
    return Conversion{.jobs = std::move(jobs_), .remarks = remarks_.take()};
  }

 private:
  // `kubectl get -o yaml` prints several objects as one list.
  void add(const Field& field) {
    const auto items = convert::field_under(field, "items");
    if (!items || !convert::text_under(field, "kind").ends_with("List")) return all_.push_back(field);
    for (const auto& item : spec::read_list(*items, "manifests").value_or(std::vector<Field>{})) add(item);
  }

  const Kind* kind_of(const Field& document) {
    const auto kind = convert::text_under(document, "kind"), version = convert::text_under(document, "apiVersion");
    const auto* found = std::ranges::find_if(kKnown, [&](const Kind& known) {
      return known.name == kind && version.starts_with(fmt::format("{}/", known.group));
    });
    if (found == kKnown.end()) return nullptr;
    if (version != fmt::format("{}/{}", found->group, found->version))
      remarks_.warn(document, fmt::format("is of {}; only {} is known, so check the result", spec::quoted(version),
                                          found->version));
    return found;
  }

  void convert_one(const Field& document) {
    const auto kind = convert::text_under(document, "kind");
    if (kind.empty()) {
      const bool job = convert::field_under(document, "run").has_value();
      return document.wrong(job ? "is a job file already; give it to ym submit"
                                : fmt::format("has no kind, and no line begins with #SBATCH; known are {}", kKinds));
    }
    const auto* known = kind_of(document);
    if (!known)
      return remarks_.warn(document, fmt::format("the {} is left out; known are {}", spec::quoted(kind), kKinds));
    if (known->name.ends_with("Runtime")) return;
    const auto draft = read(document, known->name);
    if (draft && problems_.empty()) finish(document, *draft);
  }

  std::optional<Draft> read(const Field& document, std::string_view kind) {
    if (kind == "Job") return convert::read_job(document, remarks_);
    if (kind == "JobSet") return convert::read_jobset(document, remarks_);
    if (kind == "PyTorchJob") return convert::read_pytorchjob(document, remarks_);
    return convert::read_trainjob(document, runtime_of(document), remarks_);
  }

  std::optional<Field> runtime_of(const Field& train_job) const {
    const auto name =
        convert::text_under(convert::field_under(convert::field_under(train_job, "spec"), "runtimeRef"), "name");
    for (const auto& each : all_)
      if (convert::text_under(each, "kind").ends_with("TrainingRuntime") &&
          convert::text_under(convert::field_under(each, "metadata"), "name") == name)
        return each;
    return std::nullopt;
  }

  // The parser of job files would refuse this, so it is an error here.
  void finish(const Field& document, const Draft& draft) {
    auto job = convert::document_of(draft, remarks_);
    const auto parsed = parse_job_yaml(to_yaml({job}), {.workdir = "/"});
    if (!parsed) return document.wrong(fmt::format("cannot be written as a job file: {}", parsed.error().message));
    jobs_.push_back(std::move(job));
  }

  spec::Problems problems_;
  Remarks remarks_;
  std::vector<Field> all_;
  std::vector<Value> jobs_;
};

}  // namespace

Result<Conversion> convert_to_jobs(std::string_view text, std::string_view name) {
  if (auto error = spec::check_text(text)) return std::unexpected(std::move(*error));
  if (convert::is_script(text)) return convert::convert_script(text, name);
  const auto documents = spec::read_yaml(text);
  if (!documents) return std::unexpected(documents.error());
  return Manifests(*documents).convert();
}

}  // namespace ym
