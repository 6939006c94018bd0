#include "dialect/fauna/push/files.h"

#include <algorithm>
#include <map>

#include "base/crypto/crypto.h"
#include "dialect/fauna/fsl/parser.h"
#include "dialect/fauna/fsl/print.h"
#include "dialect/fauna/push/items.h"
#include "dialect/fauna/wire/wire_limits.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

// REACH DISK: rows of the system table, beside those of documents.
constexpr SystemCollection active_rows{.name = "File"};
constexpr SystemCollection staged_rows{.name = "StagedFile"};
const DocumentKey stage_key = DocumentKey::of("stage");
// of the stage: the active files when it was staged
constexpr std::string_view over_member = "over";

constexpr const char* item_kinds[] = {"Collection", "Function", "Role", "AccessProvider"};

Result<SchemaFiles> stored_files(Reading& reading, const SystemCollection& rows) {
  SchemaFiles files;
  for (const Document& row : TRY(reading.all_system(rows))) {
    const Value content = row.body.member("content");
    files.push_back({std::string(id_in_table(row.id)),
                     content.is(Kind::text) ? content.text() : std::string()});
  }
  return files;
}

Result<void> put_row(Interpreter& run, const DocumentKey& key, Object body) {
  return run.transaction()
      ->put(run.reading().system_table(), key, TRY(pack(Value(std::move(body)))), {})
      .map([](bool) {});
}

Result<void> remove_rows(Interpreter& run, const SystemCollection& rows) {
  const CollectionPtr table = run.reading().system_table();
  for (const Document& row : TRY(run.reading().all_system(rows))) {
    TRY(run.transaction()->remove(table, DocumentKey::of(std::string(row.id)), {.is_final = true}));
  }
  return {};
}

Result<void> store_files(Interpreter& run, const SystemCollection& rows, const SchemaFiles& files) {
  TRY(remove_rows(run, rows));
  for (const SchemaFile& file : files) {
    Object body;
    body.set("content", Value(file.content));
    TRY(put_row(run, system_key(rows, file.name), std::move(body)));
  }
  return {};
}

// A fingerprint of files.
std::string fingerprint_of(const SchemaFiles& files) {
  Bytes all;
  for (const SchemaFile& file : files) {
    put_text(all, file.name);
    put_text(all, file.content);
  }
  return encode_base64url(sha256(all));
}

// The live items by kind and name, and whether each occurs in a file.
class LiveItems {
 public:
  explicit LiveItems(std::vector<LiveItem> items) {
    for (LiveItem& item : items) {
      std::string key = key_of(*item.kind, item.name);
      items_.emplace(std::move(key), std::pair(std::move(item), false));
    }
  }

  // The updated text of a file.
  std::string patched(const SchemaFile& file) {
    const auto parsed = fsl::parse_file(make_source(file.name, file.content));
    if (!parsed) return file.content;
    const std::string& before = file.content;
    std::string text;
    std::size_t at = 0;  // everything before it was copied or cut
    const auto copy_to = [&](std::size_t end) {
      text.append(before, at, end - std::min(at, end));
      at = std::max(at, end);
    };
    for (const fsl::Item& item : parsed->items) {
      const auto found = items_.find(key_of(kind_of(item), item.name.text));
      if (found == items_.end()) {
        copy_to(item.comment_span.begin);
        at = std::min(before.find_first_not_of(" \t\r\n", item.span.end), before.size());
        continue;
      }
      auto& [live, is_shown] = found->second;
      is_shown = true;
      std::string now = normal_text(*live.kind, live.name, live.document);
      if (now == normal_text(item)) continue;
      now.pop_back();  // the line break is already there
      copy_to(item.span.begin);
      text += now;
      at = item.span.end;
    }
    copy_to(before.size());
    return text;
  }

  // Items that occur in no file.
  std::vector<LiveItem> rest() const {
    std::vector<LiveItem> rest;
    for (const char* kind : item_kinds) {
      for (const auto& [key, item] : items_) {
        if (!item.second && item.first.kind->name == kind) rest.push_back(item.first);
      }
    }
    return rest;
  }

 private:
  static std::string key_of(const SystemCollection& kind, const std::string& name) {
    return system_prefix(kind) + name;
  }

  std::map<std::string, std::pair<LiveItem, bool>> items_;
};

Result<void> check_size(const fsl::File& file) {
  for (const fsl::Item& item : file.items) {
    const auto* const collection = std::get_if<fsl::Collection>(&item.what);
    const auto* const role = std::get_if<fsl::Role>(&item.what);
    const std::size_t count = collection != nullptr ? collection->members.size()
                              : role != nullptr     ? role->members.size()
                                                    : 0;
    if (count > limits::schema_members_max) {
      return fail(Code::invalid, "Too many members in `" + item.name.text + "`");
    }
  }
  return {};
}

// Appends to main.fsl, which is created if missing.
void append_items(SchemaFiles& files, const std::vector<LiveItem>& items) {
  if (items.empty()) return;
  auto main = std::find_if(files.begin(), files.end(),
                           [](const SchemaFile& file) { return file.name == main_file; });
  if (main == files.end()) {
    main = files.insert(files.begin(), {std::string(main_file), fsl::render_generated_file({})});
  }
  for (const LiveItem& item : items) {
    std::string& text = main->content;
    if (!text.empty()) text += text.ends_with('\n') ? "\n" : "\n\n";
    text += normal_text(*item.kind, item.name, item.document);
  }
  std::sort(files.begin(), files.end(),
            [](const SchemaFile& a, const SchemaFile& b) { return a.name < b.name; });
}

}  // namespace

Result<std::vector<fsl::File>> parse_files(const SchemaFiles& files) {
  std::vector<fsl::File> parsed;
  std::string errors;
  for (const SchemaFile& file : files) {
    const SourcePtr source = make_source(file.name, file.content);
    auto one = fsl::parse_file(source);
    if (one) TRY(check_size(*one));
    if (one) {
      parsed.push_back(*std::move(one));
    } else {
      errors += (errors.empty() ? "" : "\n\n") + render(one.error());
    }
  }
  if (!errors.empty()) return fail(Code::invalid, errors);
  TRY(fsl::check_names(parsed));
  return parsed;
}

Result<std::vector<LiveItem>> live_items(Reading& reading) {
  std::vector<LiveItem> items;
  for (const char* kind : item_kinds) {
    const SystemCollection& of = *find_system(kind);
    for (const Document& row : TRY(reading.all_system(of))) {
      items.push_back({&of, std::string(id_in_table(row.id)), stored_fields(row)});
    }
  }
  return items;
}

Result<SchemaFiles> active_files(Reading& reading) {
  LiveItems live(TRY(live_items(reading)));
  SchemaFiles files = TRY(stored_files(reading, active_rows));
  for (SchemaFile& file : files) file.content = live.patched(file);
  append_items(files, live.rest());
  return files;
}

Result<std::optional<SchemaFiles>> staged_files(Reading& reading) {
  const CollectionPtr table = reading.system_table();
  View& view = reading.view();
  if (!table || !TRY(view.get(*table, stage_key, view.live()))) return std::nullopt;
  return TRY(stored_files(reading, staged_rows));
}

Result<void> store_active(Interpreter& run, const SchemaFiles& files) {
  return store_files(run, active_rows, files);
}

Result<void> store_staged(Interpreter& run, const SchemaFiles& files) {
  const std::string fingerprint = fingerprint_of(TRY(active_files(run.reading())));
  TRY(store_files(run, staged_rows, files));
  Object body;
  body.set(std::string(over_member), Value(fingerprint));
  return put_row(run, stage_key, std::move(body));
}

Result<bool> is_staged_over(Reading& reading, const SchemaFiles& active) {
  const CollectionPtr table = reading.system_table();
  View& view = reading.view();
  const auto row = TRY(view.get(*table, stage_key, view.live()));
  if (!row) return false;
  const Value fingerprint = row->body.member(over_member);
  return fingerprint.is(Kind::text) && fingerprint.text() == fingerprint_of(active);
}

Result<void> remove_staged(Interpreter& run) {
  TRY(run.transaction()->remove(run.reading().system_table(), stage_key, {.is_final = true}));
  return remove_rows(run, staged_rows);
}

}  // namespace mayfly::fauna
