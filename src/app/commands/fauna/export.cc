// Reads the instant first, then the schema and each collection's documents as of that instant, page
// by page.
#include "app/commands/fauna/export.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "app/commands/fauna/api.h"
#include "app/commands/fauna/export_folder.h"
#include "app/commands/transfer/progress.h"

namespace mayfly::app {
namespace {

constexpr int done_with_documents_left_out = 3;

// The database at the instant of the export.
struct PinnedDatabase {
  std::string at;      // for display
  std::string micros;  // since 1970-01-01
  std::int64_t schema_version = 0;
  std::vector<std::string> collections = {};
  std::vector<std::string> databases = {};  // child databases
};

tl::unexpected<Error> no_mayfly_server() {
  return fail(Code::internal, "that is not a Mayfly server");
}

Result<std::vector<std::string>> texts_in(const Value& list) {
  std::vector<std::string> texts;
  if (!list.is(Kind::array)) return no_mayfly_server();
  for (const Value& one : list.array()) {
    if (!one.is(Kind::text)) return no_mayfly_server();
    texts.push_back(one.text());
  }
  return texts;
}

class FaunaExporter {
 public:
  explicit FaunaExporter(const FaunaExport& arguments)
      : given_(arguments),
        remote_(arguments.remote),
        folder_(arguments.folder),
        progress_(stderr, {}) {}

  Result<void> run() {
    TRY(ExportFolder::check(given_.folder));
    TRY(open_database());
    TRY(take_instant());
    TRY(write_schema());
    for (const std::string& name : pinned_.collections) TRY(write_collection(name));
    TRY(check_version(TRY(ask_api({.path = "/schema/1/files?staged=false"}))));
    return folder_.finish();
  }
  void end() { progress_.end(); }
  const PinnedDatabase& pinned() const { return pinned_; }
  std::uint64_t documents() const { return documents_; }
  std::uint64_t left_out() const { return left_out_; }

 private:
  Result<Value> ask_api(const ApiRequest& request) const {
    return call_fauna(remote_, request, "");
  }
  Result<Value> ask_query(const char* text, const std::string& name) const {
    return ask_api({.method = "POST", .path = "/query/1", .body = query_body(text, name)});
  }

  // From here on acts as the administrator of the requested database.
  Result<void> open_database() {
    if (given_.database.empty()) return {};
    if (given_.remote.key.find(':') != std::string::npos) {
      return fail(Code::invalid, "the secret names a database already: leave --database out");
    }
    for (std::size_t at = 0; at <= given_.database.size();) {
      const std::size_t end = std::min(given_.database.find('/', at), given_.database.size());
      const std::string path = given_.database.substr(0, end);
      const Value there =
          TRY(ask_query("Database.byName(name).exists()", given_.database.substr(at, end - at)));
      if (!there.member("data").is_true()) {
        return fail(Code::not_found, "there is no database '" + path + "'");
      }
      remote_.key = given_.remote.key + ":" + path + ":admin";
      at = end + 1;
    }
    return {};
  }

  Result<void> take_instant() {
    const Value answer =
        TRY(ask_query("({ at: Time.now().toString(), collections: Collection.all().map(.name)"
                      ".toArray(), databases: Database.all().map(.name).toArray() })",
                      ""));
    const Value data = answer.member("data"), at = data.member("at"),
                micros = answer.member("txn_ts"), version = answer.member("schema_version");
    if (!at.is(Kind::text) || !micros.is(Kind::integer) || !version.is(Kind::integer)) {
      return no_mayfly_server();
    }
    pinned_ = {.at = at.text(),
               .micros = std::to_string(micros.integer()),
               .schema_version = version.integer()};
    pinned_.collections = TRY(texts_in(data.member("collections")));
    pinned_.databases = TRY(texts_in(data.member("databases")));
    return {};
  }

  Result<void> check_version(const Value& answer) const {
    const Value version = answer.member("version");
    if (!version.is(Kind::integer)) return no_mayfly_server();
    if (version.integer() == pinned_.schema_version) return {};
    return fail(Code::contended,
                "the schema was changed while the export was going on: nothing was exported. "
                "Export again when no client changes it");
  }

  Result<void> write_schema() {
    const std::string path = "/schema/1/files";
    const Value list = TRY(ask_api({.path = path + "?staged=false"}));
    TRY(check_version(list));
    const Value files = list.member("files");
    if (!files.is(Kind::array)) return no_mayfly_server();
    for (const Value& file : files.array()) {
      const Value name = file.member("filename");
      if (!name.is(Kind::text)) return no_mayfly_server();
      const Value shown =
          TRY(ask_api({.path = path + "/" + escaped(name.text()) + "?staged=false"}));
      TRY(check_version(shown));
      const Value content = shown.member("content");
      if (!content.is(Kind::text)) return no_mayfly_server();
      TRY(folder_.open("schema/" + schema_file_name(name.text())));
      TRY(folder_.write(content.text()));
      TRY(folder_.close());
    }
    return {};
  }

  Result<void> write_collection(const std::string& name) {
    TRY(folder_.open("documents/" + name + ".jsonl"));
    const std::string first =
        "/export/1/documents?collection=" + escaped(name) + "&at=" + pinned_.micros;
    std::uint64_t left_out = 0;
    for (std::string after;;) {
      const Value page = TRY(ask_api({.path = first + after}));
      std::string lines;
      for (const std::string& line : TRY(texts_in(page.member("documents")))) {
        lines += line + "\n";
        ++documents_;
      }
      TRY(folder_.write(lines));
      TRY(note_left_out(name, page.member("left_out"), left_out));
      progress_.draw(documents_, std::to_string(documents_) + " documents");
      const Value next = page.member("after");
      if (!next.is(Kind::text)) break;
      after = "&after=" + escaped(next.text());
    }
    if (left_out > 1) warn(name + ": " + std::to_string(left_out) + " documents left out in all");
    left_out_ += left_out;
    return folder_.close();
  }

  // Names the first one of a collection.
  Result<void> note_left_out(const std::string& name, const Value& list, std::uint64_t& count) {
    if (!list.is(Kind::array)) return no_mayfly_server();
    for (const Value& one : list.array()) {
      const Value id = one.member("id"), reason = one.member("reason");
      if (!id.is(Kind::text) || !reason.is(Kind::text)) return no_mayfly_server();
      if (++count == 1) warn(name + " " + id.text() + " left out: " + reason.text());
    }
    return {};
  }

  void warn(const std::string& text) {
    progress_.clear();
    std::fprintf(stderr, "mayfly: %s\n", text.c_str());
  }

  const FaunaExport& given_;
  Remote remote_;
  ExportFolder folder_;
  ProgressBar progress_;
  PinnedDatabase pinned_;
  std::uint64_t documents_ = 0;
  std::uint64_t left_out_ = 0;
};

void print_databases(const FaunaExport& arguments, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string path = arguments.database.empty() ? name : arguments.database + "/" + name;
    std::printf(
        "the database %s is not in it; export it by itself: mayfly export --fauna DIR "
        "--database %s\n",
        path.c_str(), path.c_str());
  }
}

}  // namespace

int export_from_fauna(const FaunaExport& arguments) {
  FaunaExporter exporter(arguments);
  const auto done = exporter.run();
  exporter.end();
  if (!done) return print_error(done.error());
  const PinnedDatabase& pinned = exporter.pinned();
  std::printf("%llu documents of %zu collections exported as of %s, %llu left out\n",
              static_cast<unsigned long long>(exporter.documents()), pinned.collections.size(),
              pinned.at.c_str(), static_cast<unsigned long long>(exporter.left_out()));
  std::printf("keys, tokens and credentials are in no export: make new ones\n");
  print_databases(arguments, pinned.databases);
  return exporter.left_out() == 0 ? 0 : done_with_documents_left_out;
}

}  // namespace mayfly::app
