#include "executor/kubernetes/api/watch.h"

#include <algorithm>
#include <utility>

#include "executor/kubernetes/api/api_client.h"

namespace ym::kubernetes {
namespace {

constexpr std::size_t kMostLineBytes = std::size_t{8} << 20;
constexpr std::size_t kMostPages = 10'000;
constexpr int kMostMalformed = 3;

}  // namespace

bool Lines::take(std::string_view piece, const std::function<bool(std::string_view)>& line) {
  while (!piece.empty()) {
    const auto end = piece.find('\n');
    const auto part = piece.substr(0, end);
    if (held_.size() + part.size() > kMostLineBytes) return false;
    held_ += part;
    if (end == std::string_view::npos) return true;
    const auto whole = std::exchange(held_, {});
    if (!whole.empty() && !line(whole)) return false;
    piece.remove_prefix(end + 1);
  }
  return true;
}

Watch::Watch(WatchSource& source, WatchSink sink, std::uint64_t seed)
    : source_(source), sink_(std::move(sink)), random_(seed | 1U) {}

void Watch::run() {
  while (round()) {
  }
}

bool Watch::round() {
  if (version_.empty()) {
    if (list()) return true;
    return rest();
  }
  // A probe before a watch without events for minutes: then silence is a good sign.
  if (!reached_ && !reach()) return rest();
  switch (follow()) {
    case Ended::too_old: version_.clear(); return source_.pause({});
    case Ended::failed:
    case Ended::resumed: break;
  }
  return rest();
}

bool Watch::reach() {
  const auto answer = source_.probe();
  reached_ = answer.has_value();
  sink_.contact(reached_, reached_ ? std::string() : answer.error().message);
  return reached_;
}

// Doubles from 0.2 s to 10 s, and is shortened at random by up to a half.
bool Watch::rest() {
  random_ = random_ * 6364136223846793005ULL + 1442695040888963407ULL;
  const std::int64_t longest = std::min<std::int64_t>(std::int64_t{200} << std::min(failures_, 6), 10'000);
  ++failures_;
  const auto cut = static_cast<std::int64_t>((random_ >> 33U) % static_cast<std::uint64_t>(longest / 2 + 1));
  return source_.pause({longest - cut});
}

bool Watch::list() {
  sink_.begin_list();
  std::string next, version;
  for (std::size_t pages = 0; pages < kMostPages; ++pages) {
    const auto page = source_.page(next);
    if (!page) {
      reached_ = false;
      sink_.contact(false, page.error().message);
      return false;
    }
    for (const auto& item : list_at(*page, "/items")) sink_.listed(item);
    version = text_at(*page, "/metadata/resourceVersion");
    next = text_at(*page, "/metadata/continue");
    if (next.empty()) break;
  }
  // Without a version no watch can follow, and objects missing from half a list would look deleted.
  if (!next.empty() || version.empty()) {
    sink_.contact(false, "the API server's list has no version");
    return false;
  }
  sink_.end_list();
  version_ = version;
  reached_ = true;
  failures_ = 0;
  sink_.contact(true, {});
  return true;
}

Watch::Ended Watch::follow() {
  Lines lines;
  ended_ = Ended::resumed;
  news_ = false;
  const auto take_line = [this](std::string_view line) { return on_line(line); };
  const auto result = source_.follow(version_, [&](std::string_view piece) {
    if (lines.take(piece, take_line)) return true;
    if (ended_ == Ended::resumed) ended_ = Ended::failed;
    return false;
  });
  if (news_) failures_ = malformed_ = 0;
  if (!result) {
    if (result.error().kind == ApiError::Kind::gone) return Ended::too_old;
    if (!news_) {
      reached_ = false;
      sink_.contact(false, result.error().message);
    }
    return Ended::failed;
  }
  // The same invalid event at the same version is sent again and again; only a list gets past it.
  if (ended_ == Ended::failed && ++malformed_ >= kMostMalformed) {
    malformed_ = 0;
    return Ended::too_old;
  }
  return ended_;
}

bool Watch::on_line(std::string_view line) {
  const auto event = parse_json(line);
  const auto* object = event ? find(*event, "/object") : nullptr;
  if (!object) {
    ended_ = Ended::failed;
    return false;
  }
  const auto type = text_at(*event, "/type");
  if (type == "ERROR") return on_error(*object);
  const auto version = text_at(*object, "/metadata/resourceVersion");
  if (type == "ADDED" || type == "MODIFIED") sink_.changed(*object);
  else if (type == "DELETED") sink_.deleted(*object);
  if (!version.empty()) version_ = version;
  if (!std::exchange(news_, true)) sink_.contact(true, {});
  return true;
}

bool Watch::on_error(const json::value& status) {
  const auto code = number_at(status, "/code").value_or(0);
  const auto reason = text_at(status, "/reason");
  const bool too_old = code == 410 || reason == "Expired" || reason == "Gone";
  ended_ = too_old ? Ended::too_old : Ended::failed;
  return false;
}

ApiWatchSource::ApiWatchSource(ApiClient& client, std::string target, std::string query)
    : client_(client), target_(std::move(target)), query_(std::move(query)) {}

Api<json::value> ApiWatchSource::page(const std::string& next) {
  auto target = target_ + "?limit=500" + (query_.empty() ? "" : "&" + query_);
  if (!next.empty()) target += "&continue=" + net::percent_encoded(next);
  return client_.get(target);
}

Api<void> ApiWatchSource::follow(const std::string& version, const std::function<bool(std::string_view)>& take) {
  // Bookmarks arrive about once a minute; a connection that is silent for three minutes is dead.
  constexpr Duration kQuiet = minutes(3);
  auto target = target_ + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=600" + (query_.empty() ? "" : "&" + query_);
  target += "&resourceVersion=" + net::percent_encoded(version);
  return client_.stream(target, take, kQuiet);
}

Api<void> ApiWatchSource::probe() {
  const auto answer = client_.get("/version");
  if (!answer) return std::unexpected(answer.error());
  return {};
}

bool ApiWatchSource::pause(Duration d) { return client_.pause(d); }

}  // namespace ym::kubernetes
