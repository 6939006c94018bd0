// Parses the member `highlight` of a search's body.
#include <algorithm>
#include <iterator>
#include <utility>

#include "dialect/kuzzle/search/dsl/lowering.h"
#include "dialect/kuzzle/search/highlights/highlight.h"
#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

// Options of Elasticsearch that are not supported.
constexpr std::string_view not_offered[] = {
    "boundary_chars",      "boundary_max_scan",   "boundary_scanner", "boundary_scanner_locale",
    "force_source",        "fragmenter",          "fragment_offset",  "matched_fields",
    "max_analyzed_offset", "max_fragment_length", "options",          "phrase_limit",
    "tags_schema"};

tl::unexpected<Error> unsupported(const std::string& place) {
  return fail(Code::unsupported, place + " is not offered", place);
}

tl::unexpected<Error> too_many(const std::string& place, std::size_t most) {
  return fail(Code::too_large, place + " is at most " + std::to_string(most), place);
}

Result<std::size_t> count_up_to(const Value& value, std::size_t most, const std::string& place) {
  const std::size_t count = TRY(count_of(value, place));
  if (count > most) return too_many(place, most);
  return count;
}

// One text, or the first of a list.
Result<std::string> tag_of(const Value& value, const std::string& place) {
  const bool is_list = value.is(Kind::array) && !value.array().empty();
  const Value& first = is_list ? value.array().front() : value;
  if (!first.is(Kind::text)) return wrong(place, "is a list of texts");
  if (first.text().size() <= limits::highlight_tag_bytes_max) return first.text();
  return fail(Code::too_large, place + " is too long", place);
}

Result<bool> begins_with_best(const Value& order, const std::string& place) {
  const bool is_score = order.is(Kind::text) && order.text() == "score";
  const bool is_none = order.is(Kind::text) && order.text() == "none";
  if (!is_score && !is_none) return wrong(place, "is score or none");
  return is_score;
}

class OptionsReader {
 public:
  explicit OptionsReader(const Language& language) : language_(language) {
    language_.read_query = nullptr;
  }

  // The options in the object; `options` supplies the missing ones. The caller handles `fields` and
  // `encoder`.
  Result<HighlightOptions> read(const Object& body, HighlightOptions options,
                                const std::string& place) {
    for (const auto& [name, value] : body) TRY(read(name, value, place + "." + name, options));
    const bool has_before = body.find("pre_tags") != nullptr;
    const bool has_behind = body.find("post_tags") != nullptr;
    if (has_before && !has_behind) return wrong(place + ".post_tags", "is set where pre_tags is");
    return options;
  }

 private:
  Result<void> read(std::string_view name, const Value& value, const std::string& place,
                    HighlightOptions& options) {
    if (name == "fields" || name == "encoder") return {};
    if (name == "pre_tags") {
      options.before = TRY(tag_of(value, place));
    } else if (name == "post_tags") {
      options.behind = TRY(tag_of(value, place));
    } else if (name == "fragment_size") {
      options.passage_characters_max =
          TRY(count_up_to(value, limits::highlight_text_bytes_max, place));
    } else if (name == "number_of_fragments") {
      options.passages_max = TRY(count_up_to(value, limits::highlight_fragments_max, place));
    } else if (name == "no_match_size") {
      options.beginning_characters =
          TRY(count_up_to(value, limits::highlight_text_bytes_max, place));
    } else if (name == "require_field_match") {
      options.is_by_field = TRY(boolean_of(value, place));
    } else if (name == "order") {
      options.begins_with_best = TRY(begins_with_best(value, place));
    } else if (name == "highlight_query") {
      options.highlight_terms = TRY(terms_of(value, place));
    } else if (name == "type") {
      const bool is_unified = value.is(Kind::text) && value.text() == "unified";
      if (!is_unified) return unsupported(place);
    } else {
      const auto end = std::end(not_offered);
      if (std::find(std::begin(not_offered), end, name) != end) return unsupported(place);
      return wrong(place, "is not known");
    }
    return {};
  }

  Result<std::shared_ptr<const HighlightTerms>> terms_of(const Value& query,
                                                         const std::string& place) {
    const auto highlight_terms = std::make_shared<HighlightTerms>();
    Language recording = language_;
    recording.highlight_terms = highlight_terms.get();
    TRY(parse_query(query, recording, place));
    return highlight_terms;
  }

  Language language_;
};

// The members of `fields`, which is an object or a list of objects of one member each.
Result<std::vector<const Object::Member*>> fields_of(const Value& fields,
                                                     const std::string& place) {
  std::vector<const Object::Member*> all;
  if (fields.is(Kind::object)) {
    for (const Object::Member& member : fields.object()) all.push_back(&member);
  } else if (fields.is(Kind::array)) {
    for (const Value& one : fields.array()) all.push_back(TRY(only_member(one, place)));
  } else {
    return wrong(place, "is an object or a list of objects");
  }
  if (all.size() > limits::highlight_fields_max) {
    return too_many(place, limits::highlight_fields_max);
  }
  return all;
}

Result<bool> escapes_html(const Value& encoder, const std::string& place) {
  if (encoder.is_missing()) return false;
  const bool is_html = encoder.is(Kind::text) && encoder.text() == "html";
  const bool is_default = encoder.is(Kind::text) && encoder.text() == "default";
  if (!is_html && !is_default) return wrong(place, "is default or html");
  return is_html;
}

}  // namespace

Result<std::shared_ptr<const Highlight>> parse_highlight(const Value& body,
                                                         const Language& language,
                                                         HighlightTerms of_query) {
  const std::string place = "highlight";
  if (!body.is(Kind::object)) return wrong(place, "is an object");
  const Value fields = body.member("fields");
  OptionsReader reader(language);
  HighlightOptions common;
  common.highlight_terms = std::make_shared<const HighlightTerms>(std::move(of_query));
  common = TRY(reader.read(body.object(), std::move(common), place));
  auto made = std::make_shared<Highlight>();
  made->escapes_html = TRY(escapes_html(body.member("encoder"), place + ".encoder"));
  made->mapping = language.mapping;
  made->fact = language.fact;
  if (fields.is_missing()) return made;
  for (const Object::Member* member : TRY(fields_of(fields, place + ".fields"))) {
    const auto& [name, options] = *member;
    const std::string inner = place + ".fields." + name;
    if (!options.is(Kind::object)) return wrong(inner, "is an object");
    if (name.size() > limits::search_source_pattern_bytes_max) {
      return fail(Code::too_large, inner + " is too long", place + ".fields");
    }
    for (const std::string_view whole : {"fields", "encoder"}) {
      if (options.object().find(whole) != nullptr) {
        return wrong(inner + "." + std::string(whole), "is not known");
      }
    }
    HighlightOptions own = TRY(reader.read(options.object(), common, inner));
    made->fields.push_back({name, std::move(own)});
  }
  return made;
}

}  // namespace mayfly::kuzzle::search
