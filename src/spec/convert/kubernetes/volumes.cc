#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/resources.h"
#include "spec/convert/amounts.h"
#include "spec/convert/kubernetes/pod.h"

namespace ym::convert {
namespace {

// The container's path of the volume; empty: none.
std::string mount_path(const std::optional<Field>& container, std::string_view volume) {
  const auto mounts = container ? field_under(container, "volumeMounts") : std::nullopt;
  if (!mounts || mounts->value->kind != Value::Kind::list) return {};
  for (std::size_t i = 0; i < mounts->value->items.size(); ++i) {
    const auto mount = mounts->child(std::to_string(i), mounts->value->items[i]);
    if (text_under(mount, "name") == volume) return text_under(mount, "mountPath");
  }
  return {};
}

void read_shared_memory(const Field& empty_dir, Part& part, Remarks& remarks) {
  const auto size = field_under(empty_dir, "sizeLimit");
  if (!size) return remarks.warn(empty_dir, "has no sizeLimit; write its size: resources: {shm: 16GiB}");
  const auto bytes = size->value->is_scalar() ? parse_quantity(size->value->text) : std::nullopt;
  if (!bytes)
    return size->wrong(fmt::format("{} is not a quantity; write for example 16Gi", spec::quoted(size->value->text)));
  part.amounts.shm = *bytes / kMilli;
}

std::string advice_for(const Field& volume, const std::string& path) {
  const auto at = path.empty() ? "/data" : path;
  const auto mount = "let the cluster mount it: mounts: [{{{}: {}, mount: {}}}] in the server's configuration";
  if (const auto claim = field_under(volume, "persistentVolumeClaim"))
    return fmt::format(fmt::runtime(mount), "claim", text_under(claim, "claimName"), at);
  if (const auto host = field_under(volume, "hostPath"))
    return fmt::format(fmt::runtime(mount), "host_path", text_under(host, "path"), at);
  if (field_under(volume, "emptyDir")) return fmt::format("let the program make {} itself", at);
  if (field_under(volume, "secret")) return "let the program read a file that only your user may read";
  return fmt::format("put its content into the image, or where the nodes see it");
}

}  // namespace

void read_volumes(const Field& volumes, const std::optional<Field>& container, Part& part, Remarks& remarks) {
  const auto items = spec::read_list(volumes, "volumes");
  if (!items) return;
  for (const auto& volume : *items) {
    const auto path = mount_path(container, text_under(volume, "name"));
    const auto empty_dir = field_under(volume, "emptyDir");
    if (empty_dir && path == "/dev/shm") read_shared_memory(*empty_dir, part, remarks);
    else
      remarks.warn(volume, fmt::format("{} is left out; {}", spec::quoted(text_under(volume, "name")),
                                       advice_for(volume, path)));
  }
}

}  // namespace ym::convert
