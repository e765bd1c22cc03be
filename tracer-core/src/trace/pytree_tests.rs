use super::*;

/// A program of numbers, strings and containers.
#[derive(Clone, Debug, PartialEq)]
enum Thing {
    Number(i64),
    Text(&'static str),
    None,
    Tuple(Vec<Thing>),
    List(Vec<Thing>),
    Dict(Vec<(Thing, Thing)>),
    Box(Box<Thing>, &'static str),
}

struct Things;

impl Host for Things {
    type Object = Thing;
    fn view(&self, object: &Thing) -> Step<View<Thing>> {
        Ok(match object {
            Thing::Number(_) | Thing::Text(_) => View::Leaf,
            Thing::None => View::Node(Kind::None, vec![]),
            Thing::Tuple(items) => View::Node(Kind::Tuple, items.clone()),
            Thing::List(items) => View::Node(Kind::List, items.clone()),
            Thing::Dict(items) => {
                let (keys, values): (Vec<Thing>, Vec<Thing>) = items.iter().cloned().unzip();
                View::Node(Kind::Dict(keys.into()), values)
            }
            Thing::Box(inner, data) => View::Node(custom(data), vec![(**inner).clone()]),
        })
    }
    fn build(&self, kind: &Kind<Thing>, children: Vec<Thing>) -> Step<Thing> {
        Ok(match kind {
            Kind::None => Thing::None,
            Kind::Tuple => Thing::Tuple(children),
            Kind::List => Thing::List(children),
            Kind::Dict(keys) => Thing::Dict(keys.iter().cloned().zip(children).collect()),
            Kind::Custom { data: Thing::Text(data), .. } => Thing::Box(Box::new(children[0].clone()), data),
            other => unreachable!("{other:?}"),
        })
    }
    fn keys(&self, _: &Kind<Thing>, _: &Thing) -> Step<Option<Vec<Key<Thing>>>> {
        Ok(None)
    }
    fn equal(&self, a: &Thing, b: &Thing) -> Step<bool> {
        Ok(a == b)
    }
    fn hash(&self, object: &Thing) -> Step<u64> {
        Ok(self.repr(object)?.len() as u64)
    }
    fn repr(&self, object: &Thing) -> Step<String> {
        Ok(match object {
            Thing::Number(n) => n.to_string(),
            Thing::Text(text) => format!("'{text}'"),
            Thing::Tuple(items) if items.len() == 1 => format!("({},)", self.repr(&items[0])?),
            other => format!("{other:?}"),
        })
    }
    fn text(&self, object: &Thing) -> Step<String> {
        match object {
            Thing::Text(text) => Ok((*text).into()),
            other => self.repr(other),
        }
    }
    fn class_name(&self, _: &Thing) -> String {
        "C".into()
    }
}

fn custom(data: &'static str) -> Kind<Thing> {
    Kind::Custom { class: Thing::Text("class"), data: Thing::Text(data), dataclass: false }
}

fn sample() -> Thing {
    let inner = Thing::Tuple(vec![Thing::Number(2), Thing::None]);
    let dict = Thing::Dict(vec![(Thing::Text("a"), inner), (Thing::Text("b"), Thing::Number(1))]);
    Thing::List(vec![dict, Thing::Box(Box::new(Thing::Number(3)), "aux"), Thing::Tuple(vec![Thing::Number(4)])])
}

#[test]
fn flattening_and_back_gives_the_same() {
    let (leaves, def) = flatten(&Things, &sample(), None).unwrap();
    assert_eq!(leaves, [2, 1, 3, 4].map(Thing::Number));
    assert_eq!((def.num_leaves(), def.num_nodes()), (4, 10));
    assert_eq!(unflatten(&Things, &def, leaves).unwrap(), sample());
    assert_eq!(repr(&Things, &def).unwrap(), "PyTreeDef([{'a': (*, None), 'b': *}, CustomNode(C[aux], [*]), (*,)])");
    let (paths, again) = flatten_with_path(&Things, &sample(), None).unwrap();
    let text: Vec<String> = paths.iter().map(|(p, _)| key_text(&Things, p).unwrap()).collect();
    assert_eq!(text, ["[0]['a'][0]", "[0]['b']", "[1][<flat index 0>]", "[2][0]"]);
    assert!(equal(&Things, &def, &again).unwrap());
    assert_eq!(hash(&Things, &def).unwrap(), hash(&Things, &again).unwrap());
}

#[test]
fn wrong_structures_are_told_as_in_jax() {
    let one = |thing: Thing| flatten(&Things, &thing, None).unwrap().1;
    let error = |a: Thing, b: Thing| format!("{:?}", flatten_up_to(&Things, &one(a), &b));
    let tuple = |n: i64| Thing::Tuple((0..n).map(Thing::Number).collect());
    assert!(error(tuple(2), tuple(1)).contains("Tuple arity mismatch: 1 != 2; tuple: (0,)."));
    assert!(error(Thing::List(vec![]), Thing::Number(5)).contains("Expected list, got 5."));
    let dict = |k| Thing::Dict(vec![(Thing::Text(k), Thing::Number(1))]);
    assert!(error(dict("a"), dict("b")).contains("Dict key mismatch; expected keys: ['a']; present keys: ['b']."));
    let few = unflatten(&Things, &one(tuple(2)), [Thing::Number(1)]).unwrap_err();
    assert!(format!("{few:?}").contains("Too few leaves for PyTreeDef; expected 2, got 1"));
}
