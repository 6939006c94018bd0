// document:export: the documents of a search as a file, over HTTP.
#include <fmt/format.h>

#include <cctype>
#include <set>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/exports/exports.h"
#include "dialect/kuzzle/documents/queries/facts.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/search/search.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// From the body, or from a parameter that is JSON; missing if neither has it.
Result<Value> in_body_or_arguments(const KuzzleCall& call, std::string_view name) {
  if (Value value = call.message.body.member(name); !value.is_missing()) return value;
  const auto text = TRY(call.text(name));
  if (!text || text->empty()) return Value();
  auto parsed = parse_json(*text);
  if (!parsed) return wrong_type(name, "JSON");
  return *std::move(parsed);
}

// A list of names; a parameter may also separate them by commas.
Result<std::vector<std::string>> requested_fields(const KuzzleCall& call) {
  const auto text = TRY(call.text("fields"));
  std::vector<std::string> names;
  if (text && !text->starts_with('[')) {
    for (std::size_t i = 0; i < text->size();) {
      const std::size_t comma = std::min(text->find(',', i), text->size());
      if (comma > i) names.push_back(text->substr(i, comma - i));
      i = comma + 1;
    }
  } else {
    const Value fields = TRY(in_body_or_arguments(call, "fields"));
    if (!fields.is_missing() && !fields.is(Kind::array)) return wrong_type("fields", "array");
    const Array none;
    for (const Value& field : fields.is_missing() ? none : fields.array()) {
      if (!field.is(Kind::text)) return wrong_type("fields", "array of strings");
      names.push_back(field.text());
    }
  }
  if (names.size() <= limits::export_fields_max) return names;
  return fail(Code::too_large,
              fmt::format("an export has at most {} fields", limits::export_fields_max));
}

// Every field that a mapping names, by its path.
void add_mapped_fields(const Value& properties, const std::string& prefix,
                       std::vector<std::string>& names) {
  if (!properties.is(Kind::object)) return;
  for (const auto& [name, field] : properties.object()) {
    const Value below = field.member("properties");
    if (below.is(Kind::object)) {
      add_mapped_fields(below, prefix + name + ".", names);
    } else if (names.size() < limits::export_fields_max) {
      names.push_back(prefix + name);
    }
  }
}

struct File {
  ExportFormat format;
  std::string extension;
  std::string head;  // the first line
};

Result<File> csv_file(const KuzzleCall& call, const Collection& collection) {
  File file{.extension = "csv"};
  ExportFormat& format = file.format;
  format.kind = ExportFormat::Kind::csv;
  format.separator = TRY(call.text("separator")).value_or(",");
  if (format.separator.size() > limits::export_separator_bytes_max) {
    return fail(Code::too_large, fmt::format("the separator of an export has at most {} bytes",
                                             limits::export_separator_bytes_max));
  }
  auto names = TRY(requested_fields(call));
  const bool is_asked = !names.empty();
  if (!is_asked) add_mapped_fields(mapping_of(collection).member("properties"), "", names);
  const Value listed_names = TRY(in_body_or_arguments(call, "fieldsName"));
  const auto is_listed = [&](const std::string& name) {
    const Value other = listed_names.member(name);
    return csv_cell(other.is(Kind::text) ? other : Value(name), format.separator);
  };
  file.head = is_listed("_id");
  std::set<std::string> columns;  // unique, because a cell may be as long as a document
  for (const std::string& name : names) {
    if (name == "_id") continue;  // it comes first, anyway
    Path path = TRY(Path::parse(name));
    if (!columns.insert(path.render()).second) {
      if (!is_asked) continue;
      return problem("api.assert.invalid_argument",
                     fmt::format("\"fields\" names \"{}\" twice", name));
    }
    format.columns.push_back(std::move(path));
    file.head += format.separator + is_listed(name);
  }
  file.head += '\n';
  return file;
}

Result<File> requested_file(const KuzzleCall& call, const Collection& collection) {
  std::string kind = TRY(call.text("format")).value_or("jsonl");
  for (char& c : kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (kind == "csv") return csv_file(call, collection);
  if (kind != "jsonl") return wrong_type("format", "csv or jsonl");
  File file{.extension = "jsonl"};
  file.format.generation = &call.generation();
  file.head = render_json(Object{{"collection", call.message.collection},
                                 {"index", call.message.index},
                                 {"type", "collection"}}) +
              "\n";
  return file;
}

// The body without the members that only an export has.
Result<Value> requested_body(const KuzzleCall& call) {
  Object body;
  const Value whole = TRY(in_body_or_arguments(call, "searchBody"));
  for (const std::string_view name : {"query", "sort"}) {
    Value part = TRY(in_body_or_arguments(call, name));
    if (part.is_missing()) part = whole.member(name);
    if (!part.is_missing()) body.set(name, std::move(part));
  }
  return Value(std::move(body));
}

Result<std::shared_ptr<const search::Search>> parse_search_request(const KuzzleCall& call,
                                                                   const View& view,
                                                                   const Collection& collection) {
  const auto mapping = TRY(search::Mapping::parse(mapping_of(collection)));
  const auto read_query = TRY(query_language_of(call));
  const search::Language language{
      .mapping = mapping, .now = view.now(), .fact = shown_fact, .read_query = read_query};
  auto parsed_search = std::make_shared<search::Search>(
      TRY(phrased_as_search(search::parse_search(TRY(requested_body(call)), language))));
  parsed_search->size = limits::export_page_documents;
  parsed_search->page_bytes = limits::export_page_bytes;
  return parsed_search;
}

// A name that needs no quoting in a header.
std::string file_name(const KuzzleCall& call, const File& file) {
  std::string name = call.message.index + "-" + call.message.collection + "." + file.extension;
  for (char& c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '.';
    if (!is_plain) c = '_';
  }
  return name;
}

Grant grant_of(const KuzzleCall& call) {
  return {.token = call.message.token,
          .ends_at = call.principal.token_ends_at,
          .controller = call.message.controller,
          .action = call.message.action,
          .place = {call.message.index, call.message.collection}};
}

}  // namespace

Result<std::string> export_documents(KuzzleCall& call) {
  if (call.message.protocol != Protocol::http) {
    return problem("api.assert.unsupported_protocol",
                   "The protocol \"websocket\" is not supported by the API action "
                   "\"document:export\".");
  }
  View view = call.database().view();
  const auto collection = TRY(collection_to_read(call, view.catalog()));
  File file = TRY(requested_file(call, *collection));
  const auto parsed_search = TRY(parse_search_request(call, view, *collection));
  auto page = TRY(phrased_as_search(
      search::begin_scroll(parsed_search, {view, collection, false, meter_of(call)})));
  Download download{.content_type = file.extension == "csv" ? "text/csv" : "application/x-ndjson",
                    .file_name = file_name(call, file)};
  std::string begin = std::move(file.head);
  for (const auto& hit : page.answer.hits) file.format.render(hit.document, begin);
  if (page.next.bookmark) {
    download.stream = TRY(call.shared.exports.sender(
        call.shared, {page.next, std::move(file.format), grant_of(call)}, call.client()));
  }
  call.download = std::move(download);
  return begin;
}

}  // namespace mayfly::kuzzle
