#include "dialect/fauna/push/diff/diff.h"

#include <fmt/format.h>

#include <map>

#include "dialect/fauna/push/diff/members.h"
#include "dialect/fauna/push/items.h"
#include "dialect/fauna/syntax/diagnostics/source.h"

namespace mayfly::fauna {
namespace {

// By kind, then by name.
using ItemKey = std::pair<std::size_t, std::string>;
struct PlacedItem {
  const fsl::Item* item = nullptr;
  TextPosition at = {};
};
using ItemsByKey = std::map<ItemKey, PlacedItem>;

ItemsByKey items_in(const std::vector<fsl::File>& files) {
  ItemsByKey items;
  for (const fsl::File& file : files) {
    const std::string_view text = file.source->text;
    TextPosition at;
    std::size_t seen = 0;  // how much of the text the position covers
    for (const fsl::Item& item : file.items) {
      at = position_after(at, text.substr(seen, item.span.begin - seen));
      seen = item.span.begin;
      items[{item.what.index(), item.name.text}] = {&item, at};
    }
  }
  return items;
}

std::string title(std::string_view doing, std::string_view where, const PlacedItem& placed) {
  constexpr std::string_view kinds[] = {"collection", "function", "role", "access provider"};
  const fsl::Item& item = *placed.item;
  return fmt::format("* {} {} `{}` {} {}:{}:{}", doing, kinds[item.what.index()], item.name.text,
                     where, item.span.source->name, placed.at.line, placed.at.column);
}

class SemanticDiff {
 public:
  explicit SemanticDiff(DiffForm form) : form_(form) {}

  std::string render(const ItemsByKey& before, const ItemsByKey& after) {
    for (const auto& [key, placed] : after) {
      if (!before.contains(key)) {
        append(title("Adding", "to", placed), render_item_changes(nullptr, *placed.item));
      }
    }
    for (const auto& [key, placed] : before) {
      if (!after.contains(key)) append(title("Removing", "from", placed), "");
    }
    for (const auto& [key, placed] : after) {
      const auto found = before.find(key);
      if (found == before.end()) continue;
      const fsl::Item& was = *found->second.item;
      if (text_of(was.span) == text_of(placed.item->span)) continue;
      const std::string changes = render_item_changes(&was, *placed.item);
      append(title("Modifying", "at", placed),
             changes.empty() ? "  No semantic changes.\n\n" : changes);
    }
    return std::move(out_);
  }

 private:
  void append(const std::string& line, const std::string& details) {
    out_ += line;
    if (form_ == DiffForm::summary) {
      out_ += "\n";
    } else {
      out_ += details.empty() ? "\n\n" : ":\n" + details;
    }
  }

  const DiffForm form_;
  std::string out_;
};

}  // namespace

std::optional<DiffForm> diff_form(std::string_view name) {
  if (name == "semantic" || name == "true") return DiffForm::semantic;
  if (name == "summary") return DiffForm::summary;
  if (name == "textual") return DiffForm::textual;
  return std::nullopt;
}

std::string render_diff(const SchemaFiles& before, const SchemaFiles& after, DiffForm form) {
  if (form == DiffForm::textual) return render_text_diff(before, after);
  const auto old = parse_files(before);
  const auto now = parse_files(after);
  return SemanticDiff(form).render(old ? items_in(*old) : ItemsByKey(),
                                   now ? items_in(*now) : ItemsByKey());
}

std::string colored_diff(const std::string& diff) {
  std::string out;
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string line = diff.substr(at, end - at);
    const std::size_t first = line.find_first_not_of(' ');
    const char sign = first == line.npos ? ' ' : line[first];
    const std::string_view color = sign == '+'   ? "32"
                                   : sign == '-' ? "31"
                                   : sign == '~' ? "34"
                                   : sign == '@' ? "36"
                                   : sign == '*' ? "1"
                                                 : "";
    out += color.empty() ? line : fmt::format("\x1b[{}m{}\x1b[0m", color, line);
    if (end < diff.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace mayfly::fauna
