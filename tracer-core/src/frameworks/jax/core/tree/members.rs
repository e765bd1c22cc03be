//! The names of the family: flattening, registering, comparing.

use std::rc::Rc;

use super::host::How;
use super::object::{def_of_leaves, make_from};
use super::{
    Asks, Def, Registry, TreeDefObject, Trees, ask_again, asks_classes, counted_alone, def_of, def_value, flatten_by,
    key_value, lose_doubtful, path_value, unflatten_asking,
};
use crate::frameworks::jax::core::Members;
use crate::interp::Interp;
use crate::module::Symbol;
use crate::python::class::Root;
use crate::python::halt::{Halt, Step};
use crate::python::{Attrs, Class, List, NativeFn, Value};
use crate::trace::pytree::{self, Host, Key, Kind, View};

fn known_class(value: &Value) -> Step<Rc<Class>> {
    match value {
        Value::Class(class) => Ok(class.clone()),
        Value::Unknown(unknown) => Err(Halt::Unknown(unknown.why.clone())),
        other => Err(Halt::type_error(format!("Expected a class, got {other:?}"))),
    }
}

fn present(value: Value) -> Option<Value> {
    (!value.is_unbound() && !value.is_none()).then_some(value)
}

/// How often classes are asked for their parts, as the prelude says.
fn asks_of(plain: &Value, keyed: &Value) -> Option<Asks> {
    let number = |value: &Value| value.as_int().and_then(|n| u32::try_from(n).ok());
    Some(Asks { plain: number(plain)?, keyed: number(keyed).unwrap_or(0) })
}

/// The names of this family.
pub fn members(it: &Rc<Interp>, members: &mut Members) {
    let class = Class::new(
        sym!("PyTreeDef"),
        sym!("jaxlib._jax.pytree"),
        vec![it.types.object.clone()],
        Attrs::default(),
        Root::Other,
    )
    .expect("one base is always in order");
    class.attrs.write().insert(
        sym!("make_from_node_data_and_children"),
        NativeFn::value("make_from_node_data_and_children", make_from),
    );
    it.named_classes.borrow_mut().insert(sym!("jaxlib.PyTreeDef"), Value::Class(class.clone()));
    members.value("PyTreeDef", Value::Class(class));

    // `tree_flatten(tree, is_leaf=None, plain, keyed)`: The pair (leaf list, treedef). None is a node without children; dicts go in
    // sorted key order. The numbers say how often JAX asks classes for their parts in this place.
    members.function("tree_flatten", |it, args| {
        let [tree, is_leaf, plain, keyed] = args.bind("tree_flatten", ["tree", "is_leaf", "plain", "keyed"], 1)?;
        let (leaves, def) = flatten_by(it, &tree, &is_leaf, asks_of(&plain, &keyed))?;
        let def = def_of_leaves(def, &leaves);
        Ok(Value::tuple([Value::list(leaves), def]))
    });
    // `tree_leaves(tree, is_leaf=None)`: The leaf list alone.
    members.function("tree_leaves", |it, args| {
        let [tree, is_leaf, plain, keyed] = args.bind("tree_leaves", ["tree", "is_leaf", "plain", "keyed"], 1)?;
        Ok(Value::list(flatten_by(it, &tree, &is_leaf, asks_of(&plain, &keyed))?.0))
    });
    // `tree_structure(tree, is_leaf=None)`: The treedef alone.
    members.function("tree_structure", |it, args| {
        let [tree, is_leaf, plain, keyed] = args.bind("tree_structure", ["tree", "is_leaf", "plain", "keyed"], 1)?;
        let (leaves, def) = flatten_by(it, &tree, &is_leaf, asks_of(&plain, &keyed))?;
        Ok(def_of_leaves(def, &leaves))
    });
    // `tree_unflatten(treedef, leaves, times, keyed)`: The pytree of `treedef` with these leaves (any iterable); a wrong count raises
    // JAX's ValueError. The numbers say how often JAX makes it in this place, and then asks for its parts with keys;
    // nothing is known of that without them.
    members.function("tree_unflatten", |it, args| {
        let [def, leaves, times, keyed] = args.bind("tree_unflatten", ["treedef", "leaves", "times", "keyed"], 2)?;
        let def = match def_of(&def) {
            // Whatever has such a method will do.
            Err(Halt::Raise(_)) => {
                let method = it.getattr(&def, sym!("unflatten"))?;
                return it.call_with(&method, [leaves]);
            }
            def => def?,
        };
        let leaves = it.to_vec(&leaves)?;
        let Some(asks) = asks_of(&times, &keyed) else {
            let made = pytree::unflatten(&Trees::vague(it), &def, leaves)?;
            if asks_classes(&def) {
                match counted_alone(it, || pytree::flatten_with_path(&Trees::vague(it), &made, None)) {
                    Ok(_) | Err(Halt::Raise(_) | Halt::Unknown(_)) => {}
                    Err(stop) => return Err(stop),
                }
            }
            return Ok(made);
        };
        let made = unflatten_asking(it, &def, leaves, asks.plain)?;
        if asks.keyed > 0 && asks_classes(&def) {
            ask_again(it, &made, Asks { plain: 0, keyed: asks.keyed })?;
        }
        Ok(made)
    });
    // `vaguely(f, *args, **kwargs)`: `f(*args, **kwargs)`, of which it was not measured how often JAX asks classes for their parts.
    members.function("vaguely", |it, mut args| {
        let Some(f) = (!args.positional.is_empty()).then(|| args.positional.remove(0)) else {
            return Err(Halt::type_error("vaguely() missing a function"));
        };
        it.extension::<Registry>().vaguely(|| it.call(&f, args))
    });
    // `tree_flatten_up_to(treedef, tree)`: `treedef.flatten_up_to(tree)` where the program asks for it.
    members.function("tree_flatten_up_to", |it, args| {
        let [def, tree] = args.exactly("tree_flatten_up_to")?;
        pytree::flatten_up_to(&Trees::asking(it, Asks::ONCE), &def_of(&def)?, &tree).map(Value::list)
    });
    // `tree_map(f, tree, *rest, is_leaf=None)`: `jax.tree.map` for the prelude's own use; errors of mismatch are those
    // of `flatten_up_to`.
    members.function("tree_map", |it, mut args| {
        let is_leaf = args.take_keyword("is_leaf").unwrap_or(Value::Unbound);
        let mut given = args.positional.into_iter();
        let (Some(f), Some(tree)) = (given.next(), given.next()) else {
            return Err(Halt::type_error("tree_map() missing required arguments"));
        };
        let (leaves, def) = flatten_by(it, &tree, &is_leaf, None)?;
        let trees = Trees::new(it);
        let rest = given.map(|t| pytree::flatten_up_to(&trees, &def, &t)).collect::<Step<Vec<_>>>()?;
        let mut results = Vec::with_capacity(leaves.len());
        for (i, leaf) in leaves.into_iter().enumerate() {
            results.push(it.call_with(&f, std::iter::once(leaf).chain(rest.iter().map(|r| r[i].clone())))?);
        }
        pytree::unflatten(&Trees::vague(it), &def, results)
    });
    // `tree_flatten_with_path(tree, is_leaf=None)`: The pair (list of (key path, leaf), treedef); `is_leaf(path, value)`
    // decides on both.
    members.function("tree_flatten_with_path", |it, args| {
        let [tree, is_leaf, keyed] = args.bind("tree_flatten_with_path", ["tree", "is_leaf", "keyed"], 1)?;
        let trees = match asks_of(&Value::Int(0), &keyed) {
            Some(asks) => Trees::asking(it, asks),
            None => Trees::new(it),
        };
        let is_leaf = present(is_leaf);
        let test = |path: &[Key<Value>], value: &Value| match &is_leaf {
            Some(f) => it.truth(&it.call_with(f, [path_value(it, path)?, value.clone()])?),
            None => Ok(false),
        };
        let (mut pairs, def) = pytree::flatten_with_path(&trees, &tree, Some(&test))?;
        pairs.iter_mut().for_each(|(_, leaf)| lose_doubtful(leaf));
        let leaves: Vec<Value> = pairs.iter().map(|(_, leaf)| leaf.clone()).collect();
        let def = def_of_leaves(def, &leaves);
        let pairs = pairs.into_iter().map(|(path, leaf)| Ok(Value::tuple([path_value(it, &path)?, leaf])));
        Ok(Value::tuple([Value::list(pairs.collect::<Step<_>>()?), def]))
    });
    // `counted(leaves, treedef)`: The leaves of a tree as a program sees them: of one of which nothing is known there may be any
    // number.
    members.function("counted", |_, args| {
        let [leaves, def] = args.exactly("counted")?;
        let vague = match &def {
            Value::Object(object) => object.downcast::<TreeDefObject>().filter(|def| def.0.is_leaf()),
            _ => None,
        };
        Ok(match vague.and_then(|def| def.1.clone()) {
            Some(why) => Value::List(List::vague(why)),
            None => leaves,
        })
    });
    // `is_vague(treedef)`: Whether a leaf of the tree may be a container.
    members.function("is_vague", |_, args| {
        let [def] = args.exactly("is_vague")?;
        let vague = match &def {
            Value::Object(object) => object.downcast::<TreeDefObject>().is_some_and(|def| def.1.is_some()),
            other => other.is_unknown(),
        };
        Ok(Value::Bool(vague))
    });
    // `tree_flatten_axes(tree)`: (leaf list, treedef) of a tree in which None is a leaf, as axes specifications have it.
    members.function("tree_flatten_axes", |it, args| {
        let [tree] = args.exactly("tree_flatten_axes")?;
        let (leaves, def) = pytree::flatten(&Trees::new(it), &tree, Some(&|v: &Value| Ok(v.is_none())))?;
        Ok(Value::tuple([Value::list(leaves), def_value(def)]))
    });
    // `flatten_one_level(tree)`: (children, metadata) of the outermost node, None for a leaf.
    members.function("flatten_one_level", |it, args| {
        let [tree] = args.exactly("flatten_one_level")?;
        Ok(match Trees::new(it).view(&tree)? {
            View::Leaf => Value::None,
            View::Node(kind, children) => Value::tuple([Value::list(children), metadata(kind)]),
        })
    });
    // `flatten_one_level_with_keys(tree)`: ([(key, child)], metadata) of the outermost node, None for a leaf.
    members.function("flatten_one_level_with_keys", |it, args| {
        let [tree] = args.exactly("flatten_one_level_with_keys")?;
        let trees = Trees::new(it);
        Ok(match trees.view(&tree)? {
            View::Leaf => Value::None,
            View::Node(kind, children) => {
                let keys = pytree::node_keys(&trees, &kind, &tree, children.len())?;
                let pairs = keys.iter().zip(children).map(|(k, c)| Ok(Value::tuple([key_value(it, k)?, c])));
                Value::tuple([Value::list(pairs.collect::<Step<_>>()?), metadata(kind)])
            }
        })
    });
    // `is_node(tree)`: Whether it is no leaf.
    members.function("is_node", |it, args| {
        let [tree] = args.exactly("is_node")?;
        Ok(Value::Bool(matches!(Trees::new(it).view(&tree)?, View::Node(..))))
    });
    // `treedef_tuple(treedefs)`: The treedef of a tuple with children of these treedefs.
    members.function("treedef_tuple", |it, args| {
        let [defs] = args.exactly("treedef_tuple")?;
        let defs = it.to_vec(&defs)?.iter().map(def_of).collect::<Step<Vec<_>>>()?;
        Ok(def_value(Def::node(Kind::Tuple, defs)))
    });
    // `all_leaves(iterable)`: Whether no element is a container.
    members.function("all_leaves", |it, args| {
        let [items] = args.exactly("all_leaves")?;
        let trees = Trees::new(it);
        for item in it.to_vec(&items)? {
            if let View::Node(..) = trees.view(&item)? {
                return Ok(Value::Bool(false));
            }
        }
        Ok(Value::Bool(true))
    });
    // `register_pytree_node(nodetype, flatten, unflatten, flatten_with_keys=None)`: Makes instances of exactly
    // `nodetype` nodes: `flatten(x) -> (children, metadata)`, `unflatten(metadata, children)`, `flatten_with_keys(x) ->
    // ([(key, child)], metadata)`. ValueError `Duplicate custom PyTreeDef type registration for …`.
    members.function("register_pytree_node", |it, args| {
        let names = ["nodetype", "flatten_func", "unflatten_func", "flatten_with_keys_func"];
        let [class, flatten, unflatten, with_keys] = args.bind("register_pytree_node", names, 3)?;
        let how = How::Functions(flatten, unflatten, present(with_keys));
        it.extension::<Registry>().add(known_class(&class)?, how)?;
        Ok(Value::None)
    });
    // `register_dataclass(nodetype, data_fields, meta_fields)`: Makes `nodetype` a node whose children are the
    // attributes `data_fields` (under `GetAttrKey`s) and whose metadata are the values of `meta_fields`; unflattening
    // calls `nodetype(**fields)`.
    members.function("register_dataclass", |it, args| {
        let [class, data, meta] = args.bind("register_dataclass", ["nodetype", "data_fields", "meta_fields"], 3)?;
        let names = |v: &Value| -> Step<Rc<[Symbol]>> {
            Ok(it.to_vec(v)?.iter().map(|n| Symbol::from(n.as_str().unwrap_or_default())).collect())
        };
        it.extension::<Registry>().add(known_class(&class)?, How::Fields(names(&data)?, names(&meta)?))?;
        Ok(Value::None)
    });
    // `is_tree_node(nodetype)`: Whether instances of the type are nodes.
    members.function("is_tree_node", |it, args| {
        let [class] = args.exactly("is_tree_node")?;
        let class = known_class(&class)?;
        let t = &it.types;
        let builtin = [&t.none, &t.tuple, &t.list, &t.dict].iter().any(|c| Rc::ptr_eq(c, &class));
        let collection =
            class.module.as_str() == "collections" && matches!(class.name.as_str(), "OrderedDict" | "defaultdict");
        let registered = it.extension::<Registry>().find(&class).is_some();
        Ok(Value::Bool(builtin || collection || registered))
    });
}

fn metadata(kind: Kind<Value>) -> Value {
    match kind {
        Kind::None | Kind::Tuple | Kind::List => Value::None,
        Kind::Dict(keys) => Value::list(keys.to_vec()),
        Kind::Named(class) => class,
        Kind::Custom { data, .. } => data,
    }
}
