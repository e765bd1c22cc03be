"""jax.tree_util and jax.tree: results and errors are compared as text."""
import collections
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
from check import prelude
from pairs import namespace

Point = collections.namedtuple("Point", "x y")


def cases(C):
    ours, tree = prelude("tree_util"), prelude("tree")
    theirs = jax.tree_util
    for name, expression in sorted(EXPRESSIONS.items()):
        for text in expression:
            if C.wants(name):
                C.total += 1
                a, b = outcome(text, ours, tree), outcome(text, theirs, jax.tree)
                if a.split("so the diff in the metadata")[0] == b.split("so the diff in the metadata")[0]:
                    C.same += 1
                else:
                    C.fail(name, (text,), {}, f"\n   ours   {a}\n   theirs {b}")
    missing = [n for n in dir(theirs) if n[0] != "_" and not hasattr(ours, n) and n != "default_registry"]
    missing += [n for n in dir(jax.tree) if n[0] != "_" and not hasattr(tree, n)]
    if missing:
        C.fail("tree names", tuple(missing), {}, "missing")


def outcome(text, T, tree):
    @dataclasses.dataclass
    class Data:
        w: object
        n: int = dataclasses.field(default=3, metadata={"static": True})

    class Node:
        def __init__(self, a, tag):
            self.a, self.tag = a, tag

        def tree_flatten(self):
            return (self.a,), self.tag

        def tree_flatten_with_keys(self):
            return ((T.GetAttrKey("a"), self.a),), self.tag

        @classmethod
        def tree_unflatten(cls, tag, children):
            return cls(children[0], tag)

        def __repr__(self):
            return f"Node({self.a!r}, {self.tag!r})"

    def keyed():
        return T.register_pytree_with_keys_class(Node)

    def plain():
        return T.register_pytree_node_class(Node)

    scope = dict(T=T, tree=tree, Point=Point, np=np, jnp=jnp, collections=collections, Data=Data, Node=Node, keyed=keyed,
                 plain=plain, dataclasses=dataclasses)
    try:
        return str(eval(text, scope))
    except Exception as error:
        return f"{type(error).__name__}: {error}".replace("pjax.", "jax.")


EXPRESSIONS = {
    "flatten": ["T.tree_flatten((1, [2, None], {'b': 3, 'a': Point(4, 5)}))", "T.tree_flatten(None)", "T.tree_flatten(3)",
                "T.tree_flatten([[1, 2], 3], is_leaf=lambda x: isinstance(x, list) and len(x) == 2 and x[0] == 1)",
                "T.tree_leaves({'a': 1, 'b': (2,)})", "T.tree_structure([1, (2, 3)])", "T.tree_structure(())",
                "T.tree_flatten(collections.OrderedDict(b=1, a=2))", "T.tree_flatten(collections.defaultdict(int, {'b': 1}))",
                "T.tree_flatten({1: 2, 'a': 3})", "tree.leaves([1, [2]])", "tree.structure([1])", "tree.flatten({'k': 2})",
                "T.tree_structure((1, 2)).num_leaves", "T.tree_structure((1, 2)).children()", "T.tree_structure({'a': 1}).node_data()"],
    "unflatten": ["T.tree_unflatten(T.tree_structure((1, [2])), [5, 6])", "T.tree_unflatten(T.tree_structure((1, [2])), [5])",
                  "T.tree_unflatten(T.tree_structure((1, [2])), [5, 6, 7])", "tree.unflatten(T.tree_structure({'a': 1}), iter([3]))"],
    "map": ["T.tree_map(lambda x: x + 1, (1, [2]))", "T.tree_map(lambda x, y: (x, y), (1, [2]), (3, [4]))",
            "tree.map(lambda x: x, None)", "tree.map(lambda *x: x, (1, 2), (1, 2, 3))", "tree.map(lambda *x: x, (1, 2), [1, 2])",
            "tree.map(lambda *x: x, {'a': 1}, {'b': 1})", "tree.map(lambda *x: x, {'a': 1}, {'a': 1, 'b': 2})",
            "tree.map(lambda *x: x, {'a': (1, 2)}, {'a': (1, {'z': 2})})", "tree.map(lambda *x: x, (1, (2, 3)), (1, 2))",
            "tree.map(lambda *x: x, (1, None), (1, 2))", "tree.map(lambda *x: x, (1, 2), (1, None))",
            "tree.map(lambda *x: x, Point(1, 2), Point(3, 4))", "tree.map(lambda *x: x, Point(1, 2), (3, 4))",
            "tree.map(lambda x: x, [1, None, 2], is_leaf=lambda x: x is None)", "tree.map(lambda x: 1 / 0, [1])",
            "tree.map(lambda *x: x, plain()(1, 'p'), Node(2, 'p'))", "tree.map(lambda *x: x, plain()(1, 'p'), Node(2, 'q'))",
            "tree.map(lambda *x: x, [1, 2], np.ones(2))", "tree.map(str, 3)", "tree.map(lambda *x: x, [1], [[2, 3]])",
            "tree.map(None, [1])", "tree.map(lambda x, y: x, [1])"],
    "reduce": ["T.tree_reduce(lambda a, b: a + b, [1, (2, 3)])", "T.tree_reduce(lambda a, b: a + b, [1, (2, 3)], 10)",
               "T.tree_reduce(lambda a, b: a + b, [])", "T.tree_reduce(lambda a, b: a + b, [], 0)", "tree.all([True, (1,)])",
               "T.tree_reduce_associative(lambda a, b: (a, b), [1, 2, 3])", "T.tree_reduce_associative(max, [])",
               "T.tree_reduce_associative(max, [], identity=0)", "tree.reduce(max, {'a': 1, 'b': 7})"],
    "transpose": ["T.tree_transpose(T.tree_structure([1, 2]), T.tree_structure({'a': 1, 'b': 2}), [{'a': 1, 'b': 2}, {'a': 3, 'b': 4}])",
                  "T.tree_transpose(T.tree_structure([1, 2]), T.tree_structure((1, 2)), [(1, 2), (3,)])",
                  "tree.transpose(T.tree_structure([1, 2]), None, [(1, 2), (3, 4)])"],
    "paths": ["T.tree_flatten_with_path({'a': [1, Point(2, 3)]})", "T.tree_leaves_with_path((1, {'k': 2}))",
              "T.tree_map_with_path(lambda p, x: T.keystr(p), {'a': [1, Point(2, 3)]})",
              "T.tree_map_with_path(lambda p, x, y: (T.keystr(p), x, y), [1, 2], [3, 4])",
              "tree.map_with_path(lambda p, x, y: x, [1, 2], [3])", "T.keystr((T.DictKey('a'), T.SequenceKey(3), T.GetAttrKey('z')))",
              "T.keystr((T.DictKey('a'), T.SequenceKey(3), T.GetAttrKey('z'), T.FlattenedIndexKey(1)), simple=True, separator='/')",
              "T.tree_map_with_path(lambda p, x: T.keystr(p), keyed()(1, 't'))", "T.tree_map_with_path(lambda p, x: T.keystr(p), plain()(1, 't'))",
              "tree.flatten_with_path([1, None], is_leaf=lambda x: x is None)", "tree.leaves_with_path({'b': 1})",
              "T.tree_flatten_with_path([1, [2]], is_leaf=lambda p, x: len(p) == 1, is_leaf_takes_path=True)"],
    "register": ["tree.map(lambda x: x * 2, plain()(4, 'tag'))", "T.tree_structure(plain()(4, 'tag'))", "(plain(), plain())",
                 "tree.leaves(T.register_dataclass(Data)(5))", "T.tree_structure(T.register_dataclass(Data)(5))",
                 "T.register_dataclass(Data, ['w'], ['n'])(1)", "T.register_dataclass(Data, ['w'])", "T.register_dataclass(Data, ['w'], [])",
                 "T.register_dataclass(Data, ['w', 'n', 'q'], [])", "T.register_dataclass(Data, ['w', 'n'], ['n'])",
                 "T.register_dataclass(Node)", "T.register_dataclass(Data, ['w'], [], drop_fields=['n'])(1).n",
                 "tree.leaves(T.register_static(Node)(1, 2))", "tree.static(default=3).metadata", "T.is_tree_node(list)", "T.is_tree_node(int)",
                 "T.flatten_one_level([1, [2]])", "T.flatten_one_level(3)", "T.flatten_one_level_with_keys({'a': 1})", "T.flatten_one_level_with_keys(1)",
                 "T.all_leaves([1, 2])", "T.all_leaves([1, [2]])", "T.all_leaves([1, [2]], is_leaf=lambda x: x == [2])"],
    "treedefs": ["T.treedef_tuple([T.tree_structure(1), T.tree_structure([2])])", "T.treedef_children(T.tree_structure([1, (2,)]))",
                 "T.treedef_is_leaf(T.tree_structure(1))", "T.treedef_is_leaf(T.tree_structure(()))",
                 "T.tree_structure([1]) == T.tree_structure([2])", "hash(T.tree_structure([1])) == hash(T.tree_structure([2]))"],
    "broadcast": ["tree.broadcast((1, 2), (1, (2, 3)))", "T.tree_broadcast([1], [1, 2])", "tree.broadcast(1, {'a': 1})", "tree.broadcast((1, None), (1, None))"],
    "partial": ["T.tree_map(lambda x: x + 1, T.Partial(lambda a, b: a, 1))(5)", "T.tree_leaves(T.Partial(max, 1, key=2))",
                "T.Partial(T.Partial(max, 1), 2)()", "T.tree_structure(T.Partial(max, 1))"],
}
