// Questions and edits in FQL, drawn from the seed.
#include "simulate/workload.h"

namespace mayfly::simulate {

FqlQuestion Workload::fql_question(const Model& model, Instant now) {
  FqlQuestion q;
  q.collection = collection(model);
  const CollectionModel& c = model.at(q.collection);
  do {
    q.kind = static_cast<FqlQuestion::Kind>(below(FqlQuestion::kinds));
  } while (q.is_of_schema() && !c.fql);
  q.id = id();
  q.n = static_cast<int>(below(4));
  q.page = 1 + below(3);
  q.reverse = chance(40);
  q.is_counted = chance(25) && q.kind != FqlQuestion::Kind::get;
  q.is_mapped = chance(25);
  if (chance(35)) q.at = past(c, now);
  return q;
}

// An edit as FQL can express it: no condition, no author, no lifetime but an instant or none.
std::optional<Edit> Workload::fql_edit(const Model& model, Instant now) {
  Edit edit = edit_of(model.at(collection(model)), id(), now);
  if (edit.kind != Edit::Kind::patch && edit.kind != Edit::Kind::remove) {
    edit.kind = Edit::Kind::put;
  }
  edit.author.clear();
  edit.is_final = false;
  edit.if_written_at.reset();
  PutOptions options;
  const auto choice = below(10);
  if (choice < 2) options.lifetime = Never{};
  // A document that expires while its own transaction is running makes the commit lose a race.
  if (choice > 5) options.lifetime = At{now + Span::millis(1) + jump()};
  if (choice == 5) options.lifetime = At{now - jump()};
  options.expect = chance(60) ? PutOptions::Expect::absent : PutOptions::Expect::present;
  if (edit.kind != Edit::Kind::put) options.expect = PutOptions::Expect::present;
  edit.options = options;
  if (options.expect == PutOptions::Expect::absent && !is_fql_id(edit.id)) return std::nullopt;
  return edit;
}

FqlStep Workload::fql_step(const Model& model, Instant now) {
  FqlStep step;
  const std::size_t many = chance(70) ? 1 : 2 + below(3);
  while (step.edits.size() < many) {
    auto next = fql_edit(model, now);
    if (!next) continue;
    // Several edits of one document in one query, too.
    const bool is_creation = next->options.expect == PutOptions::Expect::absent;
    const bool may_be = !step.edits.empty() && (!is_creation || is_fql_id(step.edits.back().id));
    if (may_be && chance(40)) {
      next->collection = step.edits.back().collection;
      next->id = step.edits.back().id;
    }
    step.edits.push_back(*std::move(next));
  }
  return step;
}

FqlChangeStep Workload::fql_change(const CollectionModel& c) {
  static const std::vector<int> days{1, 2, 30};
  FqlChangeStep step{c.name, *c.fql};
  FqlDefinition& d = step.definition;
  if (chance(60)) d.ttl_days = chance(40) ? std::nullopt : std::optional(one_of(days));
  if (chance(40)) d.document_ttls = chance(40) ? std::nullopt : std::optional(chance(50));
  if (chance(50)) d.history_days = chance(40) ? 0 : one_of(days);
  return step;
}

// A collection that FQL has made is changed natively only in parts that FQL does not define.
CollectionChange Workload::change_beside_fql() {
  CollectionChange change;
  if (chance(70)) change.default_lifetime = default_lifetime();
  if (chance(20)) change.keep_purges_for = retention_span();
  if (chance(30) || !change.default_lifetime) change.keep_trash_for = retention_span();
  if (chance(15)) change.expires_to_trash = chance(60);
  return change;
}

// Its faults are those that FQL overcomes or reports.
void Workload::put_fql(const Model& model, Instant now, Step& step) {
  step.act = fql_step(model, now);
  const bool is_commit = step.fault && (step.fault->kind == Fault::Kind::contended ||
                                        step.fault->kind == Fault::Kind::no_space);
  if (!is_commit) step.fault.reset();
}

void Workload::put_change(const Model& model, Step& step) {
  const CollectionModel& c = model.at(collection(model));
  if (!c.fql) {
    step.act = ChangeStep{c.name, change()};
  } else if (chance(50)) {
    step.act = ChangeStep{c.name, change_beside_fql()};
  } else {
    step.act = fql_change(c);
    step.fault.reset();
  }
}

std::string Workload::made_natively(const Model& model) {
  std::string name;
  do {
    name = collection(model);
  } while (model.at(name).fql);
  return name;
}

}  // namespace mayfly::simulate
