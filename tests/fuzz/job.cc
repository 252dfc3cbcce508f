// A job file, in both languages.
#include <fmt/format.h>

#include "api/json/render.h"
#include "fuzz/must.h"
#include "spec/documents.h"
#include "spec/job/warnings.h"
#include "spec/text/text_check.h"

namespace {

using ym::fuzz::must;

const ym::SubmitDefaults kHome{.workdir = "/home/ada"};

void check_error(const ym::Error& error) {
  must(!error.message.empty(), "an error has a message");
  for (const auto& field : error.fields) {
    must(field.pointer.empty() || field.pointer.front() == '/', "a pointer is empty or begins with /");
    must(!field.message.empty() && !ym::spec::has_control_characters(field.message), "a message is one plain line");
  }
}

void check_spec(const ym::JobSpec& spec) {
  must(!spec.name.empty() && spec.name.size() <= 63, "a job has a short name");
  must(!spec.run.words.empty(), "a job has a program");
  must(spec.smallest() >= 1 && spec.smallest() <= spec.nodes, "a range of nodes has a size");
  must(spec.workdir.starts_with('/'), "the folder is absolute");
  for (const auto& warning : ym::warnings_of(spec)) must(!warning.empty(), "a warning says something");
  ym::api::JsonWriter json;
  ym::api::write_spec(json, spec);
  const std::string text = std::move(json).take();
  const auto again = ym::parse_job_json(text, kHome);
  must(again.has_value(), "what is shown of a spec is a job file: " + (again ? "" : again.error().message) + text);
  auto shown = spec;
  shown.workdir_left_out = false;  // the folder is shown, and so it is given from then on
  must(*again == shown, "what is shown of a spec means the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto jobs = ym::parse_job_yaml(text, kHome)) {
    must(!jobs->empty(), "a file without jobs is an error");
    for (const auto& spec : *jobs) check_spec(spec);
  } else {
    check_error(jobs.error());
  }
  if (const auto spec = ym::parse_job_json(text, kHome)) check_spec(*spec);
  else check_error(spec.error());
  return 0;
}
