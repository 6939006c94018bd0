// Single items: shows, adds, replaces and removes them in their files.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/fsl/parser.h"
#include "dialect/fauna/push/http/schema_call.h"
#include "dialect/fauna/push/items.h"
#include "dialect/fauna/wire/formats/format.h"
#include "net/router.h"
#include "value/json/json.h"

namespace mayfly::fauna {
namespace {

const SystemCollection* kind_named(std::string_view items) {
  const auto all = all_system_collections();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SystemCollection& row) {
    return !items.empty() && row.items == items;
  });
  return found == all.end() ? nullptr : &*found;
}

// An item and its file.
struct FoundItem {
  std::size_t file = 0;
  fsl::Item item;
};

std::optional<FoundItem> find_item(const std::vector<fsl::File>& files,
                                   const SystemCollection& kind, const std::string& name) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    for (const fsl::Item& item : files[i].items) {
      if (&kind_of(item) == &kind && item.name.text == name) return FoundItem{i, item};
    }
  }
  return std::nullopt;
}

// The document that would define the item in FQL.
Result<Value> definition_value(const fsl::Item& item) {
  const FqlObject document = document_of(item);
  FqlObject definition;
  definition.append("name", item.name.text);
  for (const auto& [name, value] : document.members()) definition.append(name, value);
  return parse_json(encode(FqlValue(std::move(definition)), Format::simple));
}

SchemaResult shown_item(Instant version, const SchemaFile& file, const fsl::Item& item) {
  SchemaReply reply{version};
  Object span;
  span.set("start", Value(static_cast<std::int64_t>(item.span.begin)));
  span.set("end", Value(static_cast<std::int64_t>(item.span.end)));
  reply.rest.set("filename", Value(file.name));
  reply.rest.set("span", Value(std::move(span)));
  reply.rest.set("content",
                 Value(file.content.substr(item.span.begin, item.span.end - item.span.begin)));
  reply.rest.set("definition", TRY(definition_value(item)));
  return reply;
}

class ItemRequest {
 public:
  ItemRequest(SchemaCall& call, const SystemCollection& kind, std::string name)
      : call_(call), kind_(kind), name_(std::move(name)) {}

  SchemaResult answer() {
    const std::string& method = call_.request.method;
    if (method == "GET" && !name_.empty()) {
      TRY(call_.read([&](Interpreter& run) -> Result<void> {
        files_ = TRY(requested_files(call_, run.reading()));
        return {};
      }));
      return show(call_.version(), name_);
    }
    if (method == "POST") return put(TRY(name_in_body()));
    if (method == "DELETE" && !name_.empty()) return put(name_);
    return missing();
  }

 private:
  static tl::unexpected<Error> missing() { return fail(Code::not_found, "Not found"); }

  // The name of the item in the body. It may differ from the name of the item that it replaces.
  Result<std::string> name_in_body() const {
    const auto item_file = fsl::parse_file(make_source("*item*", call_.request.body));
    if (!item_file) return fail(Code::invalid, render(item_file.error()));
    const bool is_one =
        item_file->items.size() == 1 && &kind_of(item_file->items.front()) == &kind_;
    if (is_one) return item_file->items.front().name.text;
    return fail(Code::invalid, fmt::format("Expected a single item of the kind `{}`", kind_.items));
  }

  SchemaResult put(const std::string& name) {
    const auto make = [&](Reading& reading) -> Result<SchemaFiles> {
      files_ = TRY(changed(TRY(requested_files(call_, reading))));
      return files_;
    };
    Instant version = call_.version();
    if (call_.flag("validate", false)) {
      TRY(call_.write(true, [&](Interpreter& run) -> Result<void> {
        return push_files(run, TRY(make(run.reading())));
      }));
    } else {
      version = TRY(put_files(call_, make, call_.flag("staged", false))).version;
    }
    if (call_.request.method == "DELETE") return SchemaReply{version};
    return show(version, name);
  }

  // The files with the item of the request added, or without the one that it removes.
  Result<SchemaFiles> changed(SchemaFiles files) const {
    if (name_.empty()) return added(std::move(files));
    const auto parsed = TRY(parse_files(files));
    const auto found = find_item(parsed, kind_, name_);
    if (!found) return missing();
    const bool is_gone = call_.request.method == "DELETE";
    std::string& text = files[found->file].content;
    const std::size_t begin = is_gone ? found->item.comment_span.begin : found->item.span.begin;
    text.replace(begin, found->item.span.end - begin, is_gone ? "" : call_.request.body);
    return files;
  }

  SchemaFiles added(SchemaFiles files) const {
    auto main = std::find_if(files.begin(), files.end(),
                             [](const SchemaFile& file) { return file.name == main_file; });
    if (main == files.end()) main = files.insert(files.end(), {std::string(main_file), ""});
    std::string& text = main->content;
    if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
    text += call_.request.body;
    return files;
  }

  SchemaResult show(Instant version, const std::string& name) const {
    const auto parsed = TRY(parse_files(files_));
    const auto found = find_item(parsed, kind_, name);
    if (!found) return missing();
    return shown_item(version, files_[found->file], found->item);
  }

  SchemaCall& call_;
  const SystemCollection& kind_;
  const std::string name_;
  SchemaFiles files_;  // of the request's transaction
};

}  // namespace

const SystemCollection* kind_of_items(std::string_view path) {
  return kind_named(path.substr(0, std::min(path.find('/'), path.size())));
}

SchemaResult answer_item(SchemaCall& call) {
  const std::string_view path = call.rest;
  const SystemCollection* const kind = kind_of_items(path);
  if (kind == nullptr) return fail(Code::not_found, "Not found");
  const std::size_t slash = std::min(path.find('/'), path.size());
  std::string name = TRY(net::decode_percent(path.substr(std::min(slash + 1, path.size()))));
  return ItemRequest(call, *kind, std::move(name)).answer();
}

}  // namespace mayfly::fauna
