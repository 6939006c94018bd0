#include "simulate/describe.h"

#include "simulate/question.h"

namespace mayfly::simulate {
namespace {

std::string text_of(Instant t) {
  return t.is_never() ? "never" : std::to_string(t.micros);
}

}  // namespace

std::string render(const Body& body) {
  std::string text = "n=" + (body.n ? std::to_string(*body.n) : "-");
  text += " u=" + (body.u ? std::to_string(*body.u) : "-");
  return text + " s=" + body.s;
}

std::string describe(const Described& v) {
  std::string text(v.id);
  text += " written " + text_of(v.written_at) + " created " + text_of(v.created_at);
  text += " #" + std::to_string(v.revision) + " " + mayfly::render(v.lifetime);
  text += " dies " + text_of(v.death) + " by ";
  text += v.author;
  text += "/";
  text += v.updater;
  text += " ";
  text += v.facet;
  if (v.hold) {
    text += " held from " + text_of(v.hold->held_at) + " by " + v.hold->by + " for " +
            v.hold->reason + ", else " + mayfly::render(v.hold->lifetime) + " from " +
            text_of(v.hold->counted_from);
  }
  return text + " " + render(v.body);
}

std::string render(Event::Kind kind, Instant at, const std::string& id, Instant version_at) {
  return std::to_string(at.micros) + " " + std::string(mayfly::name_of(kind)) + " " + id + " of " +
         std::to_string(version_at.micros) + "\n";
}

std::string render(const Question& q) {
  static constexpr const char* names[] = {
      "point",       "get",          "scan",      "index_scan", "query",       "count",
      "living",      "group",        "get_as_of", "scan_as_of", "scan_pinned", "query_as_of",
      "index_as_of", "index_pinned", "history",   "trash",      "get_removed", "scan_with_trash",
      "holds",       "forecast",     "preview"};
  std::string text = std::string(names[static_cast<int>(q.kind)]) + " " + q.collection;
  if (!q.id.empty()) text += " id " + q.id;
  if (!q.to.empty()) text += " to " + q.to;
  if (!q.index.empty()) text += " index " + q.index;
  if (q.is_of_the_past()) text += " at " + text_of(q.at);
  text += " n " + std::to_string(q.n) + " page " + std::to_string(q.page);
  return text + (q.reverse ? " reverse" : "");
}

}  // namespace mayfly::simulate
