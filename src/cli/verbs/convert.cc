#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <filesystem>

#include "cli/input_file.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "spec/convert/convert.h"

namespace ym::cli {
namespace {

struct ConvertOptions {
  std::string file;
  bool strict = false;
};

// Place of a remark in the form that errors use: "train.yaml: /spec/suspend".
std::string place_of(const ConvertOptions& options, const std::string& pointer) {
  const auto file = options.file == "-" ? "" : options.file;
  if (file.empty() || pointer.empty()) return file + pointer;
  return file + ": " + pointer;
}

int say_remarks(Session& session, const ConvertOptions& options, const std::vector<Remark>& remarks) {
  int warnings = 0;
  for (const auto& [kind, pointer, message, line] : remarks) {
    const bool warning = kind == Remark::Kind::warning;
    warnings += warning ? 1 : 0;
    const auto where = place_of(options, pointer);
    session.err << fmt::format("ym: {}: {}{}{}\n", warning ? "warning" : "note", printable(where),
                               where.empty() ? "" : ": ", printable(message));
  }
  session.err << std::flush;
  return warnings;
}

void show_conversion(Session& session, const Conversion& conversion) {
  if (session.format == Format::json) return session.print(boost::json::parse(to_json(conversion.jobs)));
  if (session.format != Format::name) {
    session.out << to_yaml(conversion.jobs);
    return;
  }
  for (const auto& job : conversion.jobs)
    if (!job.keys.empty() && job.keys.front() == "name") session.out << printable(job.items.front().text) << '\n';
}

int convert(Session& session, const ConvertOptions& options) {
  const auto text = read_text_file(session, options.file);
  if (!text) return report(session, text.error());
  const auto conversion = convert_to_jobs(*text, std::filesystem::path(options.file).stem().string());
  if (!conversion) return report_in_file(session, options.file, conversion.error());
  const int warnings = say_remarks(session, options, conversion->remarks);
  if (options.strict && warnings > 0)
    return report(session, Error{ErrorCode::invalid, fmt::format("{} warning{} and --strict: nothing is written",
                                                                 warnings, warnings == 1 ? "" : "s")});
  show_conversion(session, *conversion);
  return 0;
}

}  // namespace

void add_convert(Verbs& verbs) {
  auto options = std::make_shared<ConvertOptions>();
  auto* verb = verbs.add(
      "convert", "Make a job file from a JobSet, TrainJob, PyTorchJob or Job of Kubernetes, or from an sbatch script");
  verb->add_option("FILE", options->file, "Manifest or script; - for standard input")->required();
  verb->add_flag("--strict", options->strict, "If there are warnings, write nothing and exit with 2");
  verbs.on(verb, options, convert);
}

}  // namespace ym::cli
