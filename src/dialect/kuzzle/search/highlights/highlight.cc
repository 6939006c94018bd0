#include "dialect/kuzzle/search/highlights/highlight.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/highlights/finder.h"
#include "expr/evaluation/evaluate.h"
#include "query/running/row.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::search {

using relevance::FoundTerm;
using relevance::Passage;

// One value of a field, as a text.
struct Highlighter::Text {
  std::string text;
  std::size_t begin = 0;  // within the whole field
  std::vector<FoundTerm> found = {};
};

// The texts of a field.
struct Highlighter::Texts {
  std::vector<Text> list = {};
  std::size_t bytes = 0;
};

// A passage to be shown.
struct Highlighter::Chosen {
  const Text* text = nullptr;
  Passage passage;
  double worth = 0;
};

namespace {

// * stands for any characters.
bool fits(std::string_view pattern, std::string_view name) {
  std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  name.remove_prefix(star);
  while (true) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    if (star == std::string_view::npos) return name.ends_with(pattern);
    const std::size_t at = name.find(pattern.substr(0, star));
    if (at == std::string_view::npos) return false;
    name.remove_prefix(at + star);
  }
}

bool is_pattern(const std::string& name) {
  return name.find('*') != std::string::npos;
}

// The dotted names of fields with texts.
Result<void> add_names(const Value& value, const std::string& name, std::set<std::string>& names,
                       Meter& meter) {
  TRY(meter.tick());
  if (value.is(Kind::array)) {
    for (const Value& item : value.array()) TRY(add_names(item, name, names, meter));
  } else if (value.is(Kind::object)) {
    for (const auto& [member, below] : value.object()) {
      TRY(add_names(below, name.empty() ? member : name + "." + member, names, meter));
    }
  } else if (value.is(Kind::text)) {
    names.insert(name);
  }
  return {};
}

std::string_view without_outer_spaces(std::string_view text) {
  const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view escape_of(char c) {
  switch (c) {
    case '"': return "&quot;";
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '\'': return "&#x27;";
    case '/': return "&#x2F;";
    default: return {};
  }
}

// The texts of a field's value.
std::optional<std::string> text_of(const Value& value, FieldType type) {
  if (value.is(Kind::text)) return value.text();
  const bool is_scalar = value.is_number() || value.is(Kind::boolean);
  if (type == FieldType::dynamic || !is_scalar) return std::nullopt;
  return render_json(value);
}

std::vector<Passage> passages_in(const std::string& text, std::span<const FoundTerm> found,
                                 const HighlightOptions& options) {
  if (options.passages_max > 0) {
    return relevance::passages_of(text, found, options.passage_characters_max);
  }
  return {{0, text.size(), 0, found.size()}};
}

}  // namespace

Result<Value> Highlighter::of(const Document& document) {
  Object shown;
  std::optional<std::set<std::string>> known;
  for (const HighlightedField& field : highlight_.fields) {
    std::set<std::string> names;
    if (is_pattern(field.pattern)) {
      if (!known) {
        known.emplace();
        TRY(add_names(document.body.unpack(), "", *known, meter_));
      }
      names = TRY(names_that_fit(field, *known));
    } else {
      names.insert(field.pattern);
    }
    for (const std::string& name : names) {
      Value passages = TRY(of_field(name, field.options, document));
      if (!passages.is_missing()) shown.set(name, std::move(passages));
    }
  }
  return shown.empty() ? Value() : Value(std::move(shown));
}

// Also names that are only in the query: of metadata, and of fields with values copied from others.
Result<std::set<std::string>> Highlighter::names_that_fit(const HighlightedField& field,
                                                          const std::set<std::string>& known) {
  std::set<std::string> names;
  for (const std::string& name : known) {
    TRY(meter_.tick(static_cast<std::uint32_t>(name.size() + 1)));
    if (fits(field.pattern, name)) names.insert(name);
  }
  for (const HighlightTerm& term : *field.options.highlight_terms) {
    if (!term.field.empty() && fits(field.pattern, term.field)) names.insert(term.field);
  }
  return names;
}

Result<Highlighter::Texts> Highlighter::texts_of(const FieldValues& of, const Document& document) {
  Texts texts;
  meter_.begin_evaluation();
  Value values = TRY(evaluate(*of.values, query::DocumentScope(document), meter_));
  if (!values.is(Kind::array)) values = Array{std::move(values)};
  for (const Value& value : values.array()) {
    auto text = text_of(value, of.type);
    if (!text || text->empty()) continue;
    const std::size_t begin = std::exchange(texts.bytes, texts.bytes + text->size());
    texts.list.push_back({*std::move(text), begin});
  }
  if (texts.bytes <= limits::highlight_text_bytes_max) return texts;
  return fail(Code::too_large,
              "the texts of " + of.name + " in document " + std::string(document.id) +
                  " are longer than " + std::to_string(limits::highlight_text_bytes_max) +
                  " bytes, so they are not highlighted",
              "highlight");
}

Result<Value> Highlighter::of_field(const std::string& name, const HighlightOptions& options,
                                    const Document& document) {
  const Language language{.mapping = highlight_.mapping, .now = {}, .fact = highlight_.fact};
  const FieldValues of = Lowering(language).find(name);
  std::vector<const HighlightTerm*> highlight_terms;
  for (const HighlightTerm& term : *options.highlight_terms) {
    const bool is_meant = !options.is_by_field || term.field.empty() || term.field == of.name;
    if (is_meant) highlight_terms.push_back(&term);
  }
  const bool is_whole = of.type == FieldType::keyword;
  const bool has_texts = is_whole || of.type == FieldType::dynamic || of.type == FieldType::text;
  const bool shows_nothing = highlight_terms.empty() && options.beginning_characters == 0;
  if (!has_texts || shows_nothing) return Value();
  Texts texts = TRY(texts_of(of, document));
  if (texts.list.empty()) return Value();
  Finder finder(std::move(highlight_terms), is_whole, meter_);
  for (Text& text : texts.list) text.found = TRY(finder.find(text.text));
  const std::vector<Chosen> chosen = TRY(choose(texts, options, finder.often()));
  if (chosen.empty()) return show_beginning(texts, options.beginning_characters);
  Array shown;
  for (const Chosen& one : chosen) shown.push_back(TRY(show(one, options)));
  return Value(std::move(shown));
}

Result<std::vector<Highlighter::Chosen>> Highlighter::choose(
    const Texts& texts, const HighlightOptions& options, const std::vector<std::uint32_t>& often) {
  std::vector<Chosen> chosen;
  for (const Text& text : texts.list) {
    if (text.found.empty()) continue;
    for (const Passage& passage : passages_in(text.text, text.found, options)) {
      TRY(meter_.tick(static_cast<std::uint32_t>(passage.count)));
      TRY(meter_.build(sizeof(Chosen)));
      const double worth = relevance::passage_score(
          passage, text.found, {text.begin + passage.begin, texts.bytes}, often);
      chosen.push_back({&text, passage, worth});
    }
  }
  const auto is_better = [](const Chosen& a, const Chosen& b) { return a.worth > b.worth; };
  const bool are_too_many = options.passages_max > 0 && chosen.size() > options.passages_max;
  if (!are_too_many && !options.begins_with_best) return chosen;
  std::stable_sort(chosen.begin(), chosen.end(), is_better);
  if (are_too_many) chosen.resize(options.passages_max);
  if (options.begins_with_best) return chosen;
  const auto begin = [](const Chosen& one) { return one.text->begin + one.passage.begin; };
  std::sort(chosen.begin(), chosen.end(),
            [&](const Chosen& a, const Chosen& b) { return begin(a) < begin(b); });
  return chosen;
}

Result<Value> Highlighter::show_beginning(const Texts& texts, std::size_t characters) {
  if (characters == 0) return Value();
  std::string shown;
  append(without_outer_spaces(relevance::beginning_of(texts.list.front().text, characters)), shown);
  Value only = TRY(take(std::move(shown)));
  return Value(Array{std::move(only)});
}

// Overlapping matches are highlighted as one.
Result<Value> Highlighter::show(const Chosen& chosen, const HighlightOptions& options) {
  const std::string_view text = chosen.text->text;
  const auto found =
      std::span(chosen.text->found).subspan(chosen.passage.first, chosen.passage.count);
  std::string shown;
  std::size_t at = chosen.passage.begin;
  for (const FoundTerm& one : found) {
    if (one.begin > at) append(text.substr(at, one.begin - at), shown);
    if (one.end <= at) continue;
    const std::size_t begin = std::max<std::size_t>(at, one.begin);
    shown += options.before;
    append(text.substr(begin, one.end - begin), shown);
    shown += options.behind;
    at = one.end;
    if (bytes_ + shown.size() > limits::highlight_bytes_max) break;
  }
  if (chosen.passage.end > at) append(text.substr(at, chosen.passage.end - at), shown);
  return take(std::string(without_outer_spaces(shown)));
}

void Highlighter::append(std::string_view text, std::string& out) const {
  if (!highlight_.escapes_html) {
    out += text;
    return;
  }
  for (const char c : text) {
    const std::string_view escape = escape_of(c);
    if (escape.empty()) out += c;
    out += escape;
  }
}

Result<Value> Highlighter::take(std::string shown) {
  bytes_ += shown.size() + sizeof(Value);
  if (bytes_ <= limits::highlight_bytes_max) return Value(std::move(shown));
  return fail(Code::too_large,
              "what is highlighted in one page takes more than " +
                  std::to_string(limits::highlight_bytes_max) +
                  " bytes; ask for fewer hits or fragments",
              "highlight");
}

}  // namespace mayfly::kuzzle::search
