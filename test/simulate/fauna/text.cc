// Questions and edits as FQL.
#include <fmt/format.h>

#include <algorithm>

#include "simulate/fauna/fql.h"
#include "value/json/json.h"

namespace mayfly::simulate {
namespace {

std::string time_text(Instant t) {
  return fmt::format("Time.epoch({}, \"microseconds\")", t.micros);
}

std::string quoted(const std::string& text) {
  return render_json(Value(text));
}

std::string number_or_null(const std::optional<int>& n) {
  return n ? std::to_string(*n) : "null";
}

std::string set_of(const FqlQuestion& q) {
  using Kind = FqlQuestion::Kind;
  const std::string& c = q.collection;
  switch (q.kind) {
    case Kind::get: break;
    case Kind::all: return c + ".all()";
    case Kind::where: return fmt::format("{}.where(.n > {})", c, q.n);
    case Kind::called: return fmt::format("{}.where(d => [d.n, 9].includes({}))", c, q.n);
    case Kind::by_term: return fmt::format("{}.byN({})", c, q.n);
    case Kind::by_value: return fmt::format("{}.byU({{ from: {} }})", c, q.n);
    case Kind::by_each: return fmt::format("{}.byT({})", c, q.n);
    case Kind::ordered: return fmt::format("{}.all().order(desc(.n), .u)", c);
    case Kind::chained:
      return fmt::format("{0}.where(.n == {1}).concat({0}.where(.n != {1}))", c, q.n);
  }
  return "";
}

// The text for the lifetime of a document in the literal of an edit.
std::string ttl_of(const Edit& edit) {
  const Lifetime* requested = std::get_if<Lifetime>(&edit.options.lifetime);
  if (requested == nullptr) return "";
  const At* at = std::get_if<At>(requested);
  return ", ttl: " + (at ? time_text(at->instant) : "null");
}

std::string items_text(const std::string& n, const std::string& u) {
  return fmt::format("n: {0}, u: {1}, t: [{0}, {1}].filter(x => x != null)", n, u);
}

std::string expression_of(const Edit& edit, std::size_t i) {
  const std::string n = number_or_null(edit.body.n), u = number_or_null(edit.body.u);
  const std::string whole =
      fmt::format("{}, s: {}{}", items_text(n, u), quoted(edit.body.s), ttl_of(edit));
  const std::string there = fmt::format("{}.byId({})!", edit.collection, quoted(edit.id));
  if (edit.kind == Edit::Kind::remove) return there + ".delete()";
  if (edit.kind == Edit::Kind::patch) {
    const std::string kept_n = edit.patches_n ? n : fmt::format("b{}.n", i);
    const std::string kept_u = edit.patches_u ? u : fmt::format("b{}.u", i);
    return fmt::format("b{}.update({{ {}{} }})", i, items_text(kept_n, kept_u), ttl_of(edit));
  }
  if (edit.options.expect == PutOptions::Expect::present) {
    return fmt::format("{}.replace({{ {} }})", there, whole);
  }
  return fmt::format("{}.create({{ id: {}, {} }})", edit.collection, quoted(edit.id), whole);
}

}  // namespace

bool is_fql_id(const std::string& id) {
  return !id.empty() &&
         std::all_of(id.begin(), id.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string query_of(const FqlQuestion& q) {
  std::string text;
  if (q.kind == FqlQuestion::Kind::get) {
    const std::string there = fmt::format("{}.byId({})", q.collection, quoted(q.id));
    text = fmt::format("[{0}, {0}.exists()]", there);
  } else {
    text = set_of(q) + (q.reverse ? ".reverse()" : "");
    if (q.is_mapped)
      text += ".map(d => { id: d.id, ts: d.ts, ttl: d.ttl, n: d.n, u: d.u, s: d.s })";
    text += q.is_counted ? ".count()" : fmt::format(".pageSize({}).paginate()", q.page);
  }
  return q.at ? fmt::format("at ({}) {{ {} }}", time_text(*q.at), text) : text;
}

std::string query_of_page(const std::string& cursor) {
  return fmt::format("Set.paginate({})", quoted(cursor));
}

std::string query_of(const FqlStep& step) {
  std::string text;
  std::string shown = "Time.now().toMicros()";
  for (std::size_t i = 0; i < step.edits.size(); ++i) {
    const Edit& edit = step.edits[i];
    if (edit.kind == Edit::Kind::patch) {
      text += fmt::format("let b{} = {}.byId({})!\n", i, edit.collection, quoted(edit.id));
    }
    text += fmt::format("let d{} = {}\n", i, expression_of(edit, i));
    shown += fmt::format(", d{}", i);
  }
  return text + "[" + shown + "]";
}

std::string query_of(const FqlChangeStep& step) {
  const FqlDefinition& d = step.definition;
  const std::string may = d.document_ttls ? (*d.document_ttls ? "true" : "false") : "null";
  return fmt::format(
      "{}.definition.update({{ ttl_days: {}, document_ttls: {}, history_days: {} }}) {{ name }}",
      step.collection, number_or_null(d.ttl_days), may, d.history_days);
}

std::string query_of_creation(const std::string& name) {
  return fmt::format(R"(Collection.create({{
    name: "{}",
    indexes: {{
      byN: {{ terms: [".n"], values: [{{ field: ".u", order: "desc" }}] }},
      byU: {{ values: [".u"] }},
      byT: {{ terms: [{{ field: ".t", mva: true }}] }}
    }},
    constraints: [{{ unique: [".u"] }}]
  }}) {{ name }})",
                     name);
}

std::string render(const FqlQuestion& q) {
  std::string text = query_of(q);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string render(const FqlStep& step) {
  std::string text = query_of(step);
  std::replace(text.begin(), text.end(), '\n', ';');
  return "FQL: " + text;
}

std::string render(const FqlChangeStep& step) {
  return "FQL: " + query_of(step);
}

}  // namespace mayfly::simulate
