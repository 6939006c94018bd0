// Highlighting: passages of a hit's texts with the query's matches, as Elasticsearch's unified
// highlighter shows them.
//
//   search.highlight = TRY(parse_highlight(body.member("highlight"), language, terms_of_query));
//   Highlighter highlighter(*search.highlight, meter);      // for one page of hits
//   hit.highlight = TRY(highlighter.of(hit.document));      // {field: [passages]}, or missing
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/document.h"
#include "dialect/kuzzle/search/highlights/highlight_terms.h"
#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/mapping.h"
#include "dialect/kuzzle/search/search.h"
#include "expr/evaluation/meter.h"

namespace mayfly::kuzzle::search {

struct FieldValues;  // dsl/lowering.h

struct HighlightOptions {
  std::string before = "<em>";  // put before each match
  std::string behind = "</em>";
  std::size_t passage_characters_max = 100;  // 0: whole sentences
  std::size_t passages_max = 5;              // 0: the whole text
  std::size_t beginning_characters = 0;      // shown if nothing matched
  bool is_by_field = true;                   // only terms that the query looks for in that field
  bool begins_with_best = false;
  std::shared_ptr<const HighlightTerms> highlight_terms;
};

struct HighlightedField {
  std::string pattern;  // * stands for any characters
  HighlightOptions options;
};

struct Highlight {
  std::vector<HighlightedField> fields;
  bool escapes_html = false;
  Mapping mapping;
  Fact fact;
};

// Parses the value of `highlight`. Fails with invalid or unsupported, naming the member, or with
// too_large.
Result<std::shared_ptr<const Highlight>> parse_highlight(const Value& body,
                                                         const Language& language,
                                                         HighlightTerms of_query);

// For the hits of one page. Fails with too_large over limits.h, and as the meter does.
class Highlighter {
 public:
  Highlighter(const Highlight& highlight, Meter& meter) : highlight_(highlight), meter_(meter) {}

  Result<Value> of(const Document& document);

 private:
  struct Text;
  struct Texts;
  struct Chosen;

  Result<std::set<std::string>> names_that_fit(const HighlightedField& field,
                                               const std::set<std::string>& known);
  Result<Texts> texts_of(const FieldValues& of, const Document& document);
  Result<Value> of_field(const std::string& name, const HighlightOptions& options,
                         const Document& document);
  Result<std::vector<Chosen>> choose(const Texts& texts, const HighlightOptions& options,
                                     const std::vector<std::uint32_t>& often);
  Result<Value> show_beginning(const Texts& texts, std::size_t characters);
  Result<Value> show(const Chosen& chosen, const HighlightOptions& options);
  void append(std::string_view text, std::string& out) const;
  Result<Value> take(std::string shown);

  const Highlight& highlight_;
  Meter& meter_;
  std::size_t bytes_ = 0;  // of all passages so far
};

}  // namespace mayfly::kuzzle::search
