//! The kinds of nodes and fields that the lowering knows, mapped from tree-sitter's numbers once.

use std::sync::LazyLock;

use tree_sitter::Language;

macro_rules! kinds {
    (named { $($named:ident = $named_text:literal,)* } tokens { $($token:ident = $token_text:literal,)* }) => {
        /// What a node of the syntax tree is: a rule of the grammar or a token.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Kind {
            /// A stretch that could not be parsed.
            Error,
            /// A rule or token that the lowering has no use for.
            Other,
            $($named,)*
            $($token,)*
        }

        impl Kind {
            fn of(text: &str, named: bool) -> Kind {
                if named {
                    match text { $($named_text => Kind::$named,)* _ => Kind::Other }
                } else {
                    match text { $($token_text => Kind::$token,)* _ => Kind::Other }
                }
            }

            /// Whether this is a rule of the grammar rather than a keyword or punctuation.
            pub fn is_named(self) -> bool {
                const FIRST_TOKEN: u8 = [$(Kind::$token),*][0] as u8;
                (self as u8) < FIRST_TOKEN
            }
        }
    };
}

kinds! {
    named {
        Module = "module",
        ImportStatement = "import_statement",
        ImportPrefix = "import_prefix",
        RelativeImport = "relative_import",
        FutureImportStatement = "future_import_statement",
        ImportFromStatement = "import_from_statement",
        AliasedImport = "aliased_import",
        WildcardImport = "wildcard_import",
        PrintStatement = "print_statement",
        Chevron = "chevron",
        AssertStatement = "assert_statement",
        ExpressionStatement = "expression_statement",
        NamedExpression = "named_expression",
        ReturnStatement = "return_statement",
        DeleteStatement = "delete_statement",
        RaiseStatement = "raise_statement",
        PassStatement = "pass_statement",
        BreakStatement = "break_statement",
        ContinueStatement = "continue_statement",
        IfStatement = "if_statement",
        ElifClause = "elif_clause",
        ElseClause = "else_clause",
        MatchStatement = "match_statement",
        CaseClause = "case_clause",
        ForStatement = "for_statement",
        WhileStatement = "while_statement",
        TryStatement = "try_statement",
        ExceptClause = "except_clause",
        FinallyClause = "finally_clause",
        WithStatement = "with_statement",
        WithClause = "with_clause",
        WithItem = "with_item",
        FunctionDefinition = "function_definition",
        Parameters = "parameters",
        LambdaParameters = "lambda_parameters",
        ListSplat = "list_splat",
        DictionarySplat = "dictionary_splat",
        GlobalStatement = "global_statement",
        NonlocalStatement = "nonlocal_statement",
        ExecStatement = "exec_statement",
        TypeAliasStatement = "type_alias_statement",
        ClassDefinition = "class_definition",
        TypeParameter = "type_parameter",
        ParenthesizedListSplat = "parenthesized_list_splat",
        ArgumentList = "argument_list",
        DecoratedDefinition = "decorated_definition",
        Decorator = "decorator",
        Block = "block",
        ExpressionList = "expression_list",
        DottedName = "dotted_name",
        CasePattern = "case_pattern",
        AsPattern = "as_pattern",
        AsPatternTarget = "as_pattern_target",
        UnionPattern = "union_pattern",
        ListPattern = "list_pattern",
        TuplePattern = "tuple_pattern",
        DictPattern = "dict_pattern",
        KeywordPattern = "keyword_pattern",
        SplatPattern = "splat_pattern",
        ClassPattern = "class_pattern",
        ComplexPattern = "complex_pattern",
        DefaultParameter = "default_parameter",
        TypedDefaultParameter = "typed_default_parameter",
        ListSplatPattern = "list_splat_pattern",
        DictionarySplatPattern = "dictionary_splat_pattern",
        NotOperator = "not_operator",
        BooleanOperator = "boolean_operator",
        BinaryOperator = "binary_operator",
        UnaryOperator = "unary_operator",
        ComparisonOperator = "comparison_operator",
        Lambda = "lambda",
        Assignment = "assignment",
        AugmentedAssignment = "augmented_assignment",
        PatternList = "pattern_list",
        Yield = "yield",
        Attribute = "attribute",
        Subscript = "subscript",
        Slice = "slice",
        Ellipsis = "ellipsis",
        Call = "call",
        TypedParameter = "typed_parameter",
        Type = "type",
        SplatType = "splat_type",
        GenericType = "generic_type",
        UnionType = "union_type",
        ConstrainedType = "constrained_type",
        MemberType = "member_type",
        KeywordArgument = "keyword_argument",
        List = "list",
        Set = "set",
        Tuple = "tuple",
        Dictionary = "dictionary",
        Pair = "pair",
        ListComprehension = "list_comprehension",
        DictionaryComprehension = "dictionary_comprehension",
        SetComprehension = "set_comprehension",
        GeneratorExpression = "generator_expression",
        ParenthesizedExpression = "parenthesized_expression",
        ForInClause = "for_in_clause",
        IfClause = "if_clause",
        ConditionalExpression = "conditional_expression",
        ConcatenatedString = "concatenated_string",
        String = "string",
        StringStart = "string_start",
        StringContent = "string_content",
        StringEnd = "string_end",
        Interpolation = "interpolation",
        FormatSpecifier = "format_specifier",
        FormatExpression = "format_expression",
        TypeConversion = "type_conversion",
        Integer = "integer",
        Float = "float",
        Identifier = "identifier",
        True = "true",
        False = "false",
        None = "none",
        Await = "await",
        Comment = "comment",
        LineContinuation = "line_continuation",
        PositionalSeparator = "positional_separator",
        KeywordSeparator = "keyword_separator",
    }
    tokens {
        Plus = "+",
        Minus = "-",
        Star = "*",
        StarStar = "**",
        Slash = "/",
        SlashSlash = "//",
        Percent = "%",
        At = "@",
        Amp = "&",
        Bar = "|",
        Caret = "^",
        LtLt = "<<",
        GtGt = ">>",
        Tilde = "~",
        PlusEq = "+=",
        MinusEq = "-=",
        StarEq = "*=",
        StarStarEq = "**=",
        SlashEq = "/=",
        SlashSlashEq = "//=",
        PercentEq = "%=",
        AtEq = "@=",
        AmpEq = "&=",
        BarEq = "|=",
        CaretEq = "^=",
        LtLtEq = "<<=",
        GtGtEq = ">>=",
        Lt = "<",
        LtEq = "<=",
        EqEq = "==",
        NotEq = "!=",
        GtEq = ">=",
        Gt = ">",
        LtGt = "<>",
        In = "in",
        NotIn = "not in",
        Is = "is",
        IsNot = "is not",
        And = "and",
        Or = "or",
        Not = "not",
        Equal = "=",
        Walrus = ":=",
        Arrow = "->",
        OpenParen = "(",
        CloseParen = ")",
        OpenBracket = "[",
        CloseBracket = "]",
        OpenBrace = "{",
        CloseBrace = "}",
        Comma = ",",
        Colon = ":",
        Dot = ".",
        Semicolon = ";",
        Underscore = "_",
        KwAs = "as",
        KwAssert = "assert",
        KwAsync = "async",
        KwAwait = "await",
        KwBreak = "break",
        KwCase = "case",
        KwClass = "class",
        KwContinue = "continue",
        KwDef = "def",
        KwDel = "del",
        KwElif = "elif",
        KwElse = "else",
        KwExcept = "except",
        KwExec = "exec",
        KwFinally = "finally",
        KwFor = "for",
        KwFrom = "from",
        KwFuture = "__future__",
        KwGlobal = "global",
        KwIf = "if",
        KwImport = "import",
        KwLambda = "lambda",
        KwMatch = "match",
        KwNonlocal = "nonlocal",
        KwPass = "pass",
        KwPrint = "print",
        KwRaise = "raise",
        KwReturn = "return",
        KwTry = "try",
        KwType = "type",
        KwWhile = "while",
        KwWith = "with",
        KwYield = "yield",
    }
}

macro_rules! fields {
    ($($field:ident = $text:literal,)*) => {
        /// The role of a node in its parent.
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Field {
            /// No role of its own.
            None,
            $($field,)*
        }

        impl Field {
            fn of(text: &str) -> Field {
                match text { $($text => Field::$field,)* _ => Field::None }
            }
        }
    };
}

fields! {
    Operators = "operators",
    Subscript = "subscript",
    Left = "left",
    Alternative = "alternative",
    Value = "value",
    Name = "name",
    Body = "body",
    Right = "right",
    Condition = "condition",
    Object = "object",
    Expression = "expression",
    Operator = "operator",
    Argument = "argument",
    Attribute = "attribute",
    Function = "function",
    TypeConversion = "type_conversion",
    ModuleName = "module_name",
    Code = "code",
    Key = "key",
    Superclasses = "superclasses",
    Parameters = "parameters",
    TypeParameters = "type_parameters",
    Cause = "cause",
    FormatSpecifier = "format_specifier",
    ReturnType = "return_type",
    Arguments = "arguments",
    Guard = "guard",
    Definition = "definition",
    Alias = "alias",
    Consequence = "consequence",
    Subject = "subject",
    Type = "type",
}

/// The grammar, with what its numbers mean to us.
pub(super) struct Grammar {
    pub(super) language: Language,
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

impl Grammar {
    fn load() -> Grammar {
        let language = Language::from(tree_sitter_python::LANGUAGE);
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| {
                let text = language.node_kind_for_id(id).unwrap_or("");
                Kind::of(text, language.node_kind_is_named(id))
            })
            .collect();
        let fields = (0..=language.field_count() as u16)
            .map(|id| language.field_name_for_id(id).map_or(Field::None, Field::of))
            .collect();
        Grammar { language, kinds, fields }
    }

    #[inline]
    pub(super) fn kind(&self, id: u16) -> Kind {
        // The number of tree-sitter's own `ERROR` kind lies past every grammar.
        self.kinds.get(id as usize).copied().unwrap_or(Kind::Error)
    }

    #[inline]
    pub(super) fn field(&self, id: u16) -> Field {
        self.fields.get(id as usize).copied().unwrap_or(Field::None)
    }
}

pub(super) static GRAMMAR: LazyLock<Grammar> = LazyLock::new(Grammar::load);
