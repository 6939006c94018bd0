// The rules of FSL; parser.h has the grammar.
#pragma once

#include <map>
#include <string>

#include "dialect/fauna/fsl/ast.h"
#include "dialect/fauna/syntax/grammar/rules.h"

namespace mayfly::fauna::fsl {

class FileRules : public Rules {
 public:
  using Rules::Rules;
  Result<std::vector<Item>> whole_file();

 private:
  // Names of one kind, to report duplicates.
  struct Names {
    std::string_view kind;
    std::map<std::string, Span> seen = {};
  };
  void check_repeated(Names& names, const std::string& key, std::string_view shown, Span at);
  void check_repeated(Names& names, const Name& name);
  // For members that may occur only once.
  void check_once(Names& names, std::string_view what, Span at);

  // --- shared ---
  //
  // Skips semicolons first.
  bool is_at_block_end();
  bool has_value() const;
  Result<void> expect_value(const Token& keyword);
  Result<void> open_block();
  Result<Name> item_name(const Token& keyword);
  Result<Name> identifier(const Token& keyword);
  Result<Name> legacy_name();
  Span comment_above() const;
  std::string comment_text(Span comment) const;
  Result<void> refuse_annotations();
  Code type_code(const Type& read) const;
  Result<Code> type_code();
  Code verbatim(const Expression& tree) const;
  Code lambda_code(const Expression& tree) const;
  Result<Code> bracketed_lambda(std::string_view message);
  Result<std::optional<Code>> predicate_block();
  Result<FieldPath> path();

  // --- items ---
  struct Annotations {
    std::optional<Name> alias;
    std::optional<Name> role;
    Span first = {};
    bool are_there = false;
  };
  Result<Item> item();
  Result<Annotations> annotations();
  Result<void> annotation(Annotations& into);
  Result<void> item_body(Item& item, const Token& keyword, Annotations& annotations);
  void check_item_names(const Item& item);
  Result<Function> function(std::optional<Name> role);
  Result<FunctionParameter> parameter();
  void check_types(const Function& function, Span close);
  Result<Role> role();
  Result<RoleMember> role_member(Names& privileges, Names& memberships);
  Result<Privileges> privileges(Name resource, const Token& keyword);
  Result<Action> action();
  Result<AccessProvider> access_provider();
  Result<void> provider_member(AccessProvider& into, Names& once, Names& roles);
  Result<std::string> text_value(const Token& keyword);

  // --- members of collections ---
  struct MemberNames {
    Names fields{"field"};
    Names indexes{"index name"};
    Names checks{"check constraint name"};
    Names once{""};
    Names uniques{"unique constraint"};
  };
  Result<Collection> collection();
  Result<Member> member(MemberNames& names);
  Result<Member> named_member(MemberNames& names, const Token& keyword);
  bool is_at_field() const;
  Result<Member> field(MemberNames& names);
  Result<Name> field_name(MemberNames& names);
  Result<Member> wildcard(MemberNames& names);
  Result<Member> computed(MemberNames& names, const Token& keyword);
  Result<Member> index(MemberNames& names, const Token& keyword);
  Result<void> index_member(Index& into, Names& once);
  Result<std::vector<Term>> terms();
  Result<Term> term();
  Result<IndexValue> index_value();
  Result<Member> unique(MemberNames& names, const Token& keyword);
  Result<Member> check(MemberNames& names, const Token& keyword);
  Result<std::int64_t> days();
  Result<bool> flag();
  Result<Member> migrations(const Token& keyword);
  Result<Migration> migration();
  Result<decltype(Migration::what)> migration_of(std::string_view keyword);
  Result<FieldPath> migrated_path();
  Result<SplitField> split(FieldPath from, std::uint32_t begin);

  Names globals_{"collection or function"};
  Names roles_{"role"};
  Names providers_{"access provider"};
};

}  // namespace mayfly::fauna::fsl
