#include "dialect/fauna/fsl/print.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/syntax/print.h"
#include "dialect/fauna/syntax/tokens/lexer.h"

namespace mayfly::fauna::fsl {
namespace {

std::string comment_lines(const std::string& comment, std::string_view indentation) {
  std::string out;
  for (std::size_t at = 0; at < comment.size();) {
    const std::size_t line_end = std::min(comment.find('\n', at), comment.size());
    const std::string line = comment.substr(at, line_end - at);
    // The lines of a block comment are aligned under its star.
    out.append(indentation).append(line.starts_with('*') ? " " : "").append(line).append("\n");
    at = line_end + 1;
  }
  return out;
}

template <class List, class Render>
std::string rendered_list(const List& list, const Render& render) {
  std::string out;
  for (const auto& one : list) out.append(out.empty() ? "" : ", ").append(render(one));
  return out;
}

std::string render_index_value(const IndexValue& value) {
  const std::string term = render_term(value.term);
  return value.order == Order::descending ? "desc(" + term + ")" : term;
}

// A lambda in brackets: a short one has them already, another one may.
std::string bracketed(const Code& lambda) {
  const auto program = parse_lambda(make_source("*lambda*", lambda.text));
  const bool has_brackets = program && (*program)->root->is_in_brackets;
  return has_brackets ? lambda.text : "(" + lambda.text + ")";
}

// Code of several lines is not indented, because a line may be part of a text.
std::string predicate_text(const std::optional<Code>& predicate, std::string_view indentation) {
  if (!predicate) return "";
  return fmt::format(" {{\n{0}  predicate {1}\n{0}}}", indentation, bracketed(*predicate));
}

std::string typed(const std::optional<Code>& type) {
  return type ? ": " + type->text : "";
}

struct MigrationText {
  std::string operator()(const AddField& add) const { return "add " + render_path(add.path); }
  std::string operator()(const DropField& drop) const { return "drop " + render_path(drop.path); }
  std::string operator()(const MoveField& move) const {
    return "move " + render_path(move.from) + " -> " + render_path(move.to);
  }
  std::string operator()(const SplitField& split) const {
    return "split " + render_path(split.from) + " -> " + rendered_list(split.into, render_path);
  }
  std::string operator()(const Backfill& fill) const {
    return "backfill " + render_path(fill.path) + " = " + fill.value.text;
  }
  std::string operator()(const MoveConflicts& move) const {
    return "move_conflicts " + render_path(move.into);
  }
  std::string operator()(const MoveWildcard& move) const {
    return "move_wildcard " + render_path(move.into);
  }
  std::string operator()(const AddWildcard&) const { return "add_wildcard"; }
};

struct MemberText {
  std::string operator()(const Field& field) const {
    const std::string default_text = field.default_value ? " = " + field.default_value->text : "";
    return field.name.text + ": " + field.type.text + default_text;
  }
  std::string operator()(const Wildcard& wildcard) const { return "*: " + wildcard.type.text; }
  std::string operator()(const Computed& computed) const {
    return "compute " + computed.name.text + typed(computed.type) + " = " + computed.body.text;
  }
  std::string operator()(const Index& index) const {
    std::string out = "index " + index.name.text + " {\n";
    if (!index.terms.empty())
      out += "    terms [" + rendered_list(index.terms, render_term) + "]\n";
    if (!index.values.empty()) {
      out += "    values [" + rendered_list(index.values, render_index_value) + "]\n";
    }
    return out + "  }";
  }
  std::string operator()(const Unique& unique) const {
    return "unique [" + rendered_list(unique.terms, render_term) + "]";
  }
  std::string operator()(const Check& check) const {
    return "check " + check.name.text + " " + bracketed(check.body);
  }
  std::string operator()(const HistoryDays& history) const {
    return history.days == 0 ? "" : fmt::format("history_days {}", history.days);
  }
  std::string operator()(const TtlDays& ttl) const { return fmt::format("ttl_days {}", ttl.days); }
  std::string operator()(const DocumentTtls& ttls) const {
    return ttls.are_allowed ? "document_ttls true" : "document_ttls false";
  }
  std::string operator()(const Migrations& migrations) const {
    std::string out = "migrations {\n";
    for (const Migration& step : migrations.steps) {
      out += "    " + std::visit(MigrationText(), step.what) + "\n";
    }
    return out + "  }";
  }
};

// Declared and computed fields have the same rank and keep their order.
std::size_t rank_of(const Member& member) {
  return std::holds_alternative<Computed>(member.what) ? 0 : member.what.index();
}

struct ItemText {
  const Item& item;

  std::string operator()(const Collection& collection) const {
    std::vector<const Member*> members;
    for (const Member& member : collection.members) members.push_back(&member);
    std::stable_sort(members.begin(), members.end(),
                     [](const Member* a, const Member* b) { return rank_of(*a) < rank_of(*b); });
    std::string out = "collection " + key_text(item.name.text) + " {\n";
    for (const Member* member : members) {
      const std::string text = render_member(*member);
      if (text.empty()) continue;
      out += comment_lines(member->comment, "  ") + "  " + text + "\n";
    }
    return out + "}\n";
  }
  std::string operator()(const Function& function) const {
    const auto parameter = [](const FunctionParameter& one) {
      return (one.takes_rest ? "..." : "") + one.name.text + typed(one.type);
    };
    return fmt::format("function {}({}){} {}\n", key_text(item.name.text),
                       rendered_list(function.parameters, parameter), typed(function.result),
                       function.body.text);
  }
  std::string operator()(const Role& role) const {
    std::string out = "role " + key_text(item.name.text) + " {\n";
    for (const RoleMember& member : role.members) {
      out += comment_lines(member.comment, "  ");
      const auto* const membership = std::get_if<Membership>(&member.what);
      out += membership != nullptr ? membership_text(*membership)
                                   : privileges_text(std::get<Privileges>(member.what));
    }
    return out + "}\n";
  }
  std::string operator()(const AccessProvider& provider) const {
    std::string out = "access provider " + key_text(item.name.text) + " {\n";
    out += "  issuer " + in_quotes(provider.issuer) + "\n";
    out += "  jwks_uri " + in_quotes(provider.jwks_uri) + "\n";
    for (const ProviderRole& role : provider.roles) {
      out += "  role " + key_text(role.name.text) + predicate_text(role.predicate, "  ") + "\n";
    }
    return out + "}\n";
  }

 private:
  static std::string membership_text(const Membership& membership) {
    return "  membership " + key_text(membership.resource.text) +
           predicate_text(membership.predicate, "  ") + "\n";
  }
  static std::string privileges_text(const Privileges& privileges) {
    std::string out = "  privileges " + key_text(privileges.resource.text) + " {\n";
    for (const Action& action : privileges.actions) {
      out += "    " + action.name + predicate_text(action.predicate, "    ") + "\n";
    }
    return out + "  }\n";
  }
};

}  // namespace

std::string lambda_of(const Function& function) {
  const auto parameter = [](const FunctionParameter& one) {
    return (one.takes_rest ? "..." : "") + one.name.text;
  };
  return "(" + rendered_list(function.parameters, parameter) + ") => " + function.body.text;
}

std::optional<std::string> signature_of(const Function& function) {
  if (!function.result) return std::nullopt;
  const auto parameter = [](const FunctionParameter& one) {
    return one.name.text + ": " + (one.takes_rest ? "..." : "") +
           (one.type ? one.type->text : "Any");
  };
  return "(" + rendered_list(function.parameters, parameter) + ") => " + function.result->text;
}

std::string render_term(const Term& term) {
  const std::string path = render_path(term.path);
  return term.is_multiple ? "mva(" + path + ")" : path;
}

std::string render_member(const Member& member) {
  return std::visit(MemberText(), member.what);
}

std::string render_item(const Item& item) {
  std::string out = comment_lines(item.comment, "");
  if (item.alias) out += "@alias(" + key_text(item.alias->text) + ")\n";
  const auto* const function = std::get_if<Function>(&item.what);
  if (function != nullptr && function->role) {
    out += "@role(" + key_text(function->role->text) + ")\n";
  }
  return out + std::visit(ItemText{item}, item.what);
}

std::string render_generated_file(const std::vector<Item>& items) {
  std::string out =
      "// The following schema is auto-generated.\n"
      "// This file contains FSL for FQL10-compatible schema items.\n";
  for (const Item& item : items) out += "\n" + render_item(item);
  return out;
}

}  // namespace mayfly::fauna::fsl
