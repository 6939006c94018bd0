// Steps as text, for reports and traces.
#include "simulate/describe.h"
#include "simulate/workload.h"

namespace mayfly::simulate {
namespace {

std::string span_text(Span span) {
  return span == Span::infinite() ? "for ever" : std::to_string(span.micros) + " us";
}

std::string render(const IndexModel& index) {
  return index.name + (index.is_unique ? " (unique)" : "");
}

std::string lifetime_text(const Edit& edit) {
  const auto* lifetime = std::get_if<Lifetime>(&edit.options.lifetime);
  return lifetime ? " lifetime " + mayfly::render(*lifetime) : "";
}

std::string render(const Edit& edit) {
  static constexpr const char* names[] = {"put",    "patch", "remove", "restore",
                                          "forget", "hold",  "release"};
  std::string text =
      std::string(names[static_cast<int>(edit.kind)]) + " " + edit.collection + "/" + edit.id;
  if (edit.if_written_at) text += " if written " + std::to_string(edit.if_written_at->micros);
  if (!edit.author.empty()) text += " by " + edit.author;
  if (edit.is_final) text += " final";
  if (edit.kind == Edit::Kind::restore) return text + lifetime_text(edit);
  if (edit.kind != Edit::Kind::put && edit.kind != Edit::Kind::patch) return text;
  text += " {" + render(edit.body) + "}";
  if (edit.kind == Edit::Kind::patch) {
    text += std::string(" of") + (edit.patches_n ? " n" : "") + (edit.patches_u ? " u" : "");
  }
  text += lifetime_text(edit);
  if (edit.options.facet) text += " facet '" + *edit.options.facet + "'";
  if (edit.options.expect == PutOptions::Expect::absent) text += " expects absent";
  if (edit.options.expect == PutOptions::Expect::present) text += " expects present";
  return text;
}

std::string render(const CollectionChange& change) {
  std::string text;
  if (change.default_lifetime) text += " default " + mayfly::render(*change.default_lifetime);
  if (change.keep_history_for) text += " history " + span_text(*change.keep_history_for);
  if (change.keep_trash_for) text += " trash " + span_text(*change.keep_trash_for);
  if (change.keep_feed_for) text += " feed " + span_text(*change.keep_feed_for);
  if (change.keep_purges_for) text += " purges " + span_text(*change.keep_purges_for);
  if (change.expires_to_trash) {
    text += *change.expires_to_trash ? " the dead to the trash" : " the dead not to the trash";
  }
  if (change.writers_may_set_lifetime) {
    text += *change.writers_may_set_lifetime ? " writers may" : " writers may not";
  }
  if (change.is_indexed) text += *change.is_indexed ? " indexed" : " not indexed";
  if (change.stamp) {
    const auto& stamp = *change.stamp;
    text += stamp ? " stamp " + span_text(stamp->span) : " no stamp";
    if (stamp && stamp->when == Stamp::When::every_write) text += " at every write";
  }
  return text;
}

struct Text {
  std::string operator()(const EditStep& s) const {
    std::string text;
    for (const Edit& edit : s.edits) text += (text.empty() ? "" : ", ") + render(edit);
    for (const Question& question : s.past) text += ", asks " + render(question);
    return text + (s.gives_up ? ", given up" : "") + beside(s.meanwhile, s.position);
  }
  std::string operator()(const ReadStep& s) const {
    std::string text;
    for (const Question& question : s.questions) {
      text += (text.empty() ? "reads " : ", ") + render(question);
    }
    return text + (s.gives_up ? ", fails" : "") + beside(s.meanwhile, s.position);
  }
  std::string beside(const std::vector<EditStep>& steps, std::size_t position) const {
    std::string text;
    for (const EditStep& step : steps) text += (text.empty() ? "" : "; ") + (*this)(step);
    return text.empty() ? "" : " {before " + std::to_string(position + 1) + ": " + text + "}";
  }
  std::string operator()(const ChangeStep& s) const {
    return "change " + s.collection + render(s.change);
  }
  std::string operator()(const TrimStep& s) const {
    return "trim " + s.collection + " by " + std::to_string(s.documents) + " through " +
           std::to_string(s.through.micros);
  }
  std::string operator()(const AddIndexStep& s) const {
    return "create index " + s.collection + "/" + render(s.index);
  }
  std::string operator()(const DropIndexStep& s) const {
    return "drop index " + s.collection + "/" + s.index;
  }
  std::string operator()(const RecreateStep& s) const { return "recreate " + s.collection; }
  std::string operator()(const ClockStep& s) const {
    return "clock to " + std::to_string(s.wall.micros);
  }
  std::string operator()(const CrashStep&) const { return "crash"; }
  std::string operator()(const RestartStep& s) const {
    return "restart with the clock set back by " + span_text(s.back);
  }
  std::string operator()(const SyncStep&) const { return "sync"; }
  std::string operator()(const FqlStep& s) const { return simulate::render(s); }
  std::string operator()(const FqlChangeStep& s) const { return simulate::render(s); }
  std::string operator()(const HoldStep& s) const {
    return "hold a view for " + std::to_string(s.steps) + " steps";
  }
};

}  // namespace

std::string render(const Step& step) {
  std::string text = std::visit(Text{}, step.act);
  if (!step.fault) return text;
  static constexpr const char* faults[] = {"contended", "no space", "of unknown outcome"};
  if (step.fault->kind == Fault::Kind::unreadable) {
    return text + " [read " + std::to_string(step.fault->after + 1) + " fails]";
  }
  return text + " [commit " + std::to_string(step.fault->after + 1) + " is " +
         faults[static_cast<int>(step.fault->kind)] + "]";
}

}  // namespace mayfly::simulate
