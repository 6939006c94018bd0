// Single items: shown, added, replaced and removed in the files they stand in.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/fsl/parser.h"
#include "dialect/fauna/push/items.h"
#include "dialect/fauna/push/schema_call.h"
#include "net/router.h"

namespace mayfly::fauna {
namespace {

const SystemCollection* kind_named(std::string_view items) {
  const auto all = all_system_collections();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SystemCollection& row) {
    return !items.empty() && row.items == items;
  });
  return found == all.end() ? nullptr : &*found;
}

// An item and the file it stands in.
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

SchemaReply shown_item(Instant version, const SchemaFile& file, const fsl::Item& item) {
  SchemaReply reply{version};
  Object span;
  span.set("start", Value(static_cast<std::int64_t>(item.span.begin)));
  span.set("end", Value(static_cast<std::int64_t>(item.span.end)));
  reply.rest.set("filename", Value(file.name));
  reply.rest.set("span", Value(std::move(span)));
  reply.rest.set("content",
                 Value(file.content.substr(item.span.begin, item.span.end - item.span.begin)));
  return reply;
}

class ItemRequest {
 public:
  ItemRequest(SchemaCall& call, const SystemCollection& kind, std::string name)
      : call_(call), kind_(kind), name_(std::move(name)) {}

  SchemaResult answer() {
    TRY(call_.read([&](Reading& reading) -> Result<void> {
      const auto staged = call_.flag("staged", false) ? TRY(staged_files(reading)) : std::nullopt;
      files_ = staged ? *staged : TRY(active_files(reading));
      return {};
    }));
    const auto parsed = TRY(parse_files(files_));
    const std::string& method = call_.request.method;
    if (name_.empty()) return method == "POST" ? add() : missing();
    const auto found = find_item(parsed, kind_, name_);
    if (!found) return missing();
    if (method == "GET") return shown_item(call_.version(), files_[found->file], found->item);
    if (method != "POST" && method != "DELETE") return missing();
    const bool is_gone = method == "DELETE";
    std::string& text = files_[found->file].content;
    const std::size_t begin = is_gone ? found->item.comment_span.begin : found->item.span.begin;
    text.replace(begin, found->item.span.end - begin, is_gone ? "" : call_.request.body);
    return put();
  }

 private:
  static SchemaResult missing() { return fail(Code::not_found, "Not found"); }

  SchemaResult add() {
    auto main = std::find_if(files_.begin(), files_.end(),
                             [](const SchemaFile& file) { return file.name == main_file; });
    if (main == files_.end()) main = files_.insert(files_.end(), {std::string(main_file), ""});
    std::string& text = main->content;
    if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
    text += call_.request.body;
    return put();
  }

  SchemaResult put() {
    const auto given = fsl::parse_file(make_source("*item*", call_.request.body));
    if (given && given->items.size() == 1) name_ = given->items.front().name.text;
    SchemaReply reply{call_.version()};
    if (call_.flag("validate", false)) {
      TRY(call_.write(true, [&](Interpreter& run) { return push_files(run, files_); }));
    } else {
      reply = TRY(put_files(call_, files_, call_.flag("staged", false)));
    }
    const auto parsed = TRY(parse_files(files_));
    const auto found = find_item(parsed, kind_, name_);
    return found ? shown_item(reply.version, files_[found->file], found->item) : reply;
  }

  SchemaCall& call_;
  const SystemCollection& kind_;
  std::string name_;
  SchemaFiles files_;
};

}  // namespace

SchemaResult answer_item(SchemaCall& call, std::string_view path) {
  const std::size_t slash = std::min(path.find('/'), path.size());
  const SystemCollection* const kind = kind_named(path.substr(0, slash));
  if (kind == nullptr) return fail(Code::not_found, "Not found");
  std::string name = TRY(net::decode_percent(path.substr(std::min(slash + 1, path.size()))));
  return ItemRequest(call, *kind, std::move(name)).answer();
}

}  // namespace mayfly::fauna
