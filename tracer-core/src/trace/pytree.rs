//! Pytrees: containers of containers, and their structure without the leaves.
//!
//! What an object of the program is, and how one is made, is the host's to say: see [`Host`].

use std::rc::Rc;

use crate::python::{Halt, Step};

/// What a container is.
#[derive(Clone, Debug)]
pub enum Kind<O> {
    /// `None`: a node without children.
    None,
    /// A tuple.
    Tuple,
    /// A list.
    List,
    /// A dict with these keys, sorted.
    Dict(Rc<[O]>),
    /// A named tuple of this class.
    Named(O),
    /// A registered class (`OrderedDict` and `defaultdict` among them) with what it keeps beside its children.
    Custom {
        /// The class.
        class: O,
        /// What it keeps: for a dataclass the values of its static fields as a tuple.
        data: O,
        /// Whether it was registered as a dataclass.
        dataclass: bool,
    },
}

/// What an object is.
pub enum View<O> {
    /// A leaf.
    Leaf,
    /// A container with these children.
    Node(Kind<O>, Vec<O>),
}

/// One step of a path to a leaf.
#[derive(Clone, Debug)]
pub enum Key<O> {
    /// `[0]`
    Index(usize),
    /// `['a']`
    Item(O),
    /// `.a`
    Attribute(Rc<str>),
    /// `[<flat index 0>]`
    Flat(usize),
    /// A key that the class made itself; printed by `str`.
    Own(O),
}

/// What knows the program's objects.
pub trait Host {
    /// An object of the program.
    type Object: Clone;
    /// Runs `body` on the children of an object.
    ///
    /// # Errors
    /// What is raised for objects that are nested too deeply; what `body` gives.
    fn deeper<T>(&self, body: impl FnOnce() -> Step<T>) -> Step<T> {
        body()
    }
    /// What an object is.
    ///
    /// # Errors
    /// What flattening raises, such as keys that cannot be sorted.
    fn view(&self, object: &Self::Object) -> Step<View<Self::Object>>;
    /// What a leaf is in the list of leaves.
    fn leaf(&self, object: &Self::Object) -> Self::Object {
        object.clone()
    }
    /// Whether the object is known well enough to be told from a node.
    ///
    /// # Errors
    /// Not knowing.
    fn known(&self, object: &Self::Object) -> Step<()> {
        let _ = object;
        Ok(())
    }
    /// An object of this kind with these children.
    ///
    /// # Errors
    /// What unflattening raises.
    fn build(&self, kind: &Kind<Self::Object>, children: Vec<Self::Object>) -> Step<Self::Object>;
    /// The keys of the children of a registered class or named tuple; none where it gives none.
    ///
    /// # Errors
    /// What the class raises.
    fn keys(&self, kind: &Kind<Self::Object>, object: &Self::Object) -> Step<Option<Vec<Key<Self::Object>>>>;
    /// `a == b` of keys, classes and data.
    ///
    /// # Errors
    /// What comparing raises.
    fn equal(&self, a: &Self::Object, b: &Self::Object) -> Step<bool>;
    /// `hash(a)`
    ///
    /// # Errors
    /// What hashing raises.
    fn hash(&self, object: &Self::Object) -> Step<u64>;
    /// `repr(a)`
    ///
    /// # Errors
    /// What printing raises.
    fn repr(&self, object: &Self::Object) -> Step<String>;
    /// `str(a)`
    ///
    /// # Errors
    /// What printing raises.
    fn text(&self, object: &Self::Object) -> Step<String>;
    /// `__name__` of a class.
    fn class_name(&self, class: &Self::Object) -> String;
}

/// The structure of a pytree.
#[derive(Clone, Debug)]
pub struct TreeDef<O>(Rc<Tree<O>>);

#[derive(Debug)]
struct Tree<O> {
    kind: Option<Kind<O>>,
    children: Vec<TreeDef<O>>,
    leaves: usize,
    nodes: usize,
}

/// Says that an object is a leaf although it is a container.
pub type IsLeaf<'a, O> = Option<&'a dyn Fn(&O) -> Step<bool>>;

impl<O: Clone> TreeDef<O> {
    /// A leaf.
    pub fn leaf() -> TreeDef<O> {
        TreeDef(Rc::new(Tree { kind: None, children: Vec::new(), leaves: 1, nodes: 1 }))
    }
    /// A node.
    pub fn node(kind: Kind<O>, children: Vec<TreeDef<O>>) -> TreeDef<O> {
        let leaves = children.iter().map(|c| c.0.leaves).sum();
        let nodes = 1 + children.iter().map(|c| c.0.nodes).sum::<usize>();
        TreeDef(Rc::new(Tree { kind: Some(kind), children, leaves, nodes }))
    }
    /// The number of leaves.
    pub fn num_leaves(&self) -> usize {
        self.0.leaves
    }
    /// The number of nodes, leaves counted.
    pub fn num_nodes(&self) -> usize {
        self.0.nodes
    }
    /// Whether it is a leaf.
    pub fn is_leaf(&self) -> bool {
        self.0.kind.is_none()
    }
    /// What the outermost node is; none for a leaf.
    pub fn kind(&self) -> Option<&Kind<O>> {
        self.0.kind.as_ref()
    }
    /// The structures of the children.
    pub fn children(&self) -> &[TreeDef<O>] {
        &self.0.children
    }
    /// With another structure in place of every leaf.
    #[must_use]
    pub fn compose(&self, inner: &TreeDef<O>) -> TreeDef<O> {
        match &self.0.kind {
            None => inner.clone(),
            Some(kind) => TreeDef::node(kind.clone(), self.0.children.iter().map(|c| c.compose(inner)).collect()),
        }
    }
}

/// The leaves of an object and its structure.
///
/// # Errors
/// What the host raises.
pub fn flatten<H: Host>(
    host: &H,
    object: &H::Object,
    is_leaf: IsLeaf<'_, H::Object>,
) -> Step<(Vec<H::Object>, TreeDef<H::Object>)> {
    let mut leaves = Vec::new();
    let def = flatten_into(host, object, is_leaf, &TreeDef::leaf(), &mut leaves)?;
    Ok((leaves, def))
}

fn flatten_into<H: Host>(
    host: &H,
    object: &H::Object,
    is_leaf: IsLeaf<'_, H::Object>,
    leaf: &TreeDef<H::Object>,
    leaves: &mut Vec<H::Object>,
) -> Step<TreeDef<H::Object>> {
    if is_leaf.map_or(Ok(false), |f| f(object))? {
        leaves.push(object.clone());
        return Ok(leaf.clone());
    }
    match host.view(object)? {
        View::Leaf => {
            leaves.push(host.leaf(object));
            Ok(leaf.clone())
        }
        View::Node(kind, children) => {
            let inner = || {
                let mut defs = Vec::with_capacity(children.len());
                for child in &children {
                    defs.push(flatten_into(host, child, is_leaf, leaf, leaves)?);
                }
                Ok(defs)
            };
            Ok(TreeDef::node(kind, host.deeper(inner)?))
        }
    }
}

/// A path to a leaf, and the leaf.
pub type PathLeaf<O> = (Vec<Key<O>>, O);

/// Says of a path and an object that it is a leaf.
pub type IsLeafAt<'a, O> = Option<&'a dyn Fn(&[Key<O>], &O) -> Step<bool>>;

/// The leaves of an object with their paths, and its structure.
///
/// # Errors
/// What the host raises.
pub fn flatten_with_path<H: Host>(
    host: &H,
    object: &H::Object,
    is_leaf: IsLeafAt<'_, H::Object>,
) -> Step<(Vec<PathLeaf<H::Object>>, TreeDef<H::Object>)> {
    let (mut leaves, mut path) = (Vec::new(), Vec::new());
    let def = with_path(host, object, is_leaf, &mut path, &mut leaves)?;
    Ok((leaves, def))
}

fn with_path<H: Host>(
    host: &H,
    object: &H::Object,
    is_leaf: IsLeafAt<'_, H::Object>,
    path: &mut Vec<Key<H::Object>>,
    leaves: &mut Vec<PathLeaf<H::Object>>,
) -> Step<TreeDef<H::Object>> {
    let stop = is_leaf.map_or(Ok(false), |f| f(path, object))?;
    let view = if stop { View::Leaf } else { host.view(object)? };
    let View::Node(kind, children) = view else {
        leaves.push((path.clone(), host.leaf(object)));
        return Ok(TreeDef::leaf());
    };
    let keys = node_keys(host, &kind, object, children.len())?;
    let mut defs = Vec::with_capacity(children.len());
    for (key, child) in keys.into_iter().zip(&children) {
        path.push(key);
        defs.push(with_path(host, child, is_leaf, path, leaves)?);
        path.pop();
    }
    Ok(TreeDef::node(kind, defs))
}

/// The keys of the children of a node.
///
/// # Errors
/// What the host raises.
pub fn node_keys<H: Host>(
    host: &H,
    kind: &Kind<H::Object>,
    object: &H::Object,
    count: usize,
) -> Step<Vec<Key<H::Object>>> {
    Ok(match kind {
        Kind::None | Kind::Tuple | Kind::List => (0..count).map(Key::Index).collect(),
        Kind::Dict(keys) => keys.iter().cloned().map(Key::Item).collect(),
        Kind::Named(_) | Kind::Custom { .. } => {
            host.keys(kind, object)?.unwrap_or_else(|| (0..count).map(Key::Flat).collect())
        }
    })
}

/// A path as `jax.tree_util.keystr` prints it.
///
/// # Errors
/// What printing keys raises.
pub fn key_text<H: Host>(host: &H, path: &[Key<H::Object>]) -> Step<String> {
    // Every call that is compiled asks for all of its leaves: no text is made that is only copied.
    let mut text = String::with_capacity(16 * path.len());
    for key in path {
        match key {
            Key::Index(i) => text.extend(["[", &i.to_string(), "]"]),
            Key::Item(key) => text.extend(["[", &host.repr(key)?, "]"]),
            Key::Attribute(name) => text.extend([".", name]),
            Key::Flat(i) => text.extend(["[<flat index ", &i.to_string(), ">]"]),
            Key::Own(key) => text += &host.text(key)?,
        }
    }
    Ok(text)
}

/// An object of this structure with these leaves.
///
/// # Errors
/// ValueError for too few or too many leaves; what the host raises.
pub fn unflatten<H: Host>(
    host: &H,
    def: &TreeDef<H::Object>,
    leaves: impl IntoIterator<Item = H::Object>,
) -> Step<H::Object> {
    let mut leaves = leaves.into_iter();
    let mut taken = 0;
    let object = unflatten_from(host, def, &mut leaves, &mut taken, def.num_leaves())?;
    if leaves.next().is_some() {
        return Err(Halt::value_error(format!("Too many leaves for PyTreeDef; expected {}.", def.num_leaves())));
    }
    Ok(object)
}

fn unflatten_from<H: Host>(
    host: &H,
    def: &TreeDef<H::Object>,
    leaves: &mut impl Iterator<Item = H::Object>,
    taken: &mut usize,
    expected: usize,
) -> Step<H::Object> {
    let Some(kind) = &def.0.kind else {
        let few = || Halt::value_error(format!("Too few leaves for PyTreeDef; expected {expected}, got {taken}"));
        let leaf = leaves.next().ok_or_else(few)?;
        *taken += 1;
        return Ok(leaf);
    };
    let children =
        def.0.children.iter().map(|c| unflatten_from(host, c, leaves, taken, expected)).collect::<Step<_>>()?;
    host.build(kind, children)
}

/// Whether two structures are the same.
///
/// # Errors
/// What comparing keys and data raises.
pub fn equal<H: Host>(host: &H, a: &TreeDef<H::Object>, b: &TreeDef<H::Object>) -> Step<bool> {
    if Rc::ptr_eq(&a.0, &b.0) {
        return Ok(true);
    }
    if a.0.nodes != b.0.nodes || a.0.leaves != b.0.leaves || a.0.children.len() != b.0.children.len() {
        return Ok(false);
    }
    let kinds = match (&a.0.kind, &b.0.kind) {
        (None, None) => true,
        (Some(a), Some(b)) => equal_kinds(host, a, b)?,
        _ => false,
    };
    if !kinds {
        return Ok(false);
    }
    for (a, b) in a.0.children.iter().zip(&b.0.children) {
        if !equal(host, a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn equal_lists<H: Host>(host: &H, a: &[H::Object], b: &[H::Object]) -> Step<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (a, b) in a.iter().zip(b) {
        if !host.equal(a, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether two nodes are of the same kind, keys and data included.
///
/// # Errors
/// What comparing keys and data raises.
pub fn equal_kinds<H: Host>(host: &H, a: &Kind<H::Object>, b: &Kind<H::Object>) -> Step<bool> {
    match (a, b) {
        (Kind::None, Kind::None) | (Kind::Tuple, Kind::Tuple) | (Kind::List, Kind::List) => Ok(true),
        (Kind::Dict(a), Kind::Dict(b)) => equal_lists(host, a, b),
        (Kind::Named(a), Kind::Named(b)) => host.equal(a, b),
        (Kind::Custom { class: a, data: x, .. }, Kind::Custom { class: b, data: y, .. }) => {
            Ok(host.equal(a, b)? && host.equal(x, y)?)
        }
        _ => Ok(false),
    }
}

/// `hash` of a structure.
///
/// # Errors
/// What hashing keys and data raises.
pub fn hash<H: Host>(host: &H, def: &TreeDef<H::Object>) -> Step<u64> {
    let mix = |h: u64, x: u64| (h.rotate_left(5) ^ x).wrapping_mul(0x517c_c1b7_2722_0a95);
    let mut h = match &def.0.kind {
        None => 1,
        Some(Kind::None) => 2,
        Some(Kind::Tuple) => 3,
        Some(Kind::List) => 4,
        Some(Kind::Dict(keys)) => keys.iter().try_fold(5, |h, k| Ok(mix(h, host.hash(k)?)))?,
        Some(Kind::Named(class)) => mix(6, host.hash(class)?),
        Some(Kind::Custom { class, data, .. }) => mix(mix(7, host.hash(class)?), host.hash(data)?),
    };
    for child in &def.0.children {
        h = mix(h, hash(host, child)?);
    }
    Ok(mix(h, def.0.children.len() as u64))
}

/// `PyTreeDef(…)` as JAX prints it.
///
/// # Errors
/// What printing keys and data raises.
pub fn repr<H: Host>(host: &H, def: &TreeDef<H::Object>) -> Step<String> {
    Ok(format!("PyTreeDef({})", inner_repr(host, def)?))
}

fn inner_repr<H: Host>(host: &H, def: &TreeDef<H::Object>) -> Step<String> {
    let Some(kind) = &def.0.kind else { return Ok("*".into()) };
    let children = def.0.children.iter().map(|c| inner_repr(host, c)).collect::<Step<Vec<String>>>()?;
    let joined = children.join(", ");
    Ok(match kind {
        Kind::None => "None".into(),
        Kind::Tuple if children.len() == 1 => format!("({joined},)"),
        Kind::Tuple => format!("({joined})"),
        Kind::List => format!("[{joined}]"),
        Kind::Dict(keys) => {
            let pairs = keys.iter().zip(&children).map(|(k, c)| Ok(format!("{}: {c}", host.repr(k)?)));
            format!("{{{}}}", pairs.collect::<Step<Vec<String>>>()?.join(", "))
        }
        Kind::Named(class) => format!("CustomNode(namedtuple[{}], [{joined}])", host.class_name(class)),
        Kind::Custom { class, data, .. } => {
            format!("CustomNode({}[{}], [{joined}])", host.class_name(class), host.text(data)?)
        }
    })
}

/// The subtrees of an object at the leaves of a structure.
///
/// # Errors
/// ValueError where the object does not have the structure.
pub fn flatten_up_to<H: Host>(host: &H, def: &TreeDef<H::Object>, object: &H::Object) -> Step<Vec<H::Object>> {
    let mut found = Vec::new();
    up_to(host, def, object, &mut found)?;
    Ok(found)
}

fn up_to<H: Host>(host: &H, def: &TreeDef<H::Object>, object: &H::Object, found: &mut Vec<H::Object>) -> Step<()> {
    let Some(kind) = &def.0.kind else {
        found.push(object.clone());
        return Ok(());
    };
    if host.known(object).is_err() {
        // Nor is what stands in the places of the leaves.
        found.extend(std::iter::repeat_n(object.clone(), def.num_leaves()));
        return Ok(());
    }
    let (own, children) = match host.view(object)? {
        View::Leaf => (None, Vec::new()),
        View::Node(own, children) => (Some(own), children),
    };
    let shown = || host.repr(object);
    let wrong = |text: String| Err(Halt::value_error(text));
    let arity = |name: &str, lower: &str| -> Step<Option<String>> {
        let (n, m) = (children.len(), def.0.children.len());
        Ok(if n == m { None } else { Some(format!("{name} arity mismatch: {n} != {m}; {lower}: {}.", shown()?)) })
    };
    let problem = match (kind, &own) {
        (Kind::None, Some(Kind::None)) => None,
        (Kind::None, _) => Some(format!(
            "Expected None, got {}.\n\nIn previous releases of JAX, flatten-up-to used to consider None to be a tree-prefix of \
             non-None values. To obtain the previous behavior, you can usually write:\n  jax.tree.map(lambda x, y: None if x is \
             None else f(x, y), a, b, is_leaf=lambda x: x is None)",
            shown()?
        )),
        (Kind::Tuple, Some(Kind::Tuple)) => arity("Tuple", "tuple")?,
        (Kind::Tuple, _) => Some(format!("Expected tuple, got {}.", shown()?)),
        (Kind::List, Some(Kind::List)) => arity("List", "list")?,
        (Kind::List, _) => Some(format!("Expected list, got {}.", shown()?)),
        (Kind::Dict(keys), Some(Kind::Dict(present))) => {
            if equal_lists(host, keys, present)? {
                None
            } else {
                Some(format!(
                    "Dict key mismatch; expected keys: {}; present keys: {}.",
                    list_repr(host, keys)?,
                    list_repr(host, present)?
                ))
            }
        }
        (Kind::Dict(_), _) => Some(format!("Expected dict, got {}.", shown()?)),
        (Kind::Named(class), Some(Kind::Named(other))) => {
            if host.equal(class, other)? {
                None
            } else {
                Some(format!("Named tuple type mismatch: expected type: {}, tuple: {}.", host.repr(class)?, shown()?))
            }
        }
        (Kind::Named(_), _) => Some(format!("Expected named tuple, got {}.", shown()?)),
        (Kind::Custom { class, data, dataclass }, own) => {
            let what = if *dataclass { "dataclass " } else { "" };
            match own {
                Some(Kind::Custom { class: other, data: own, .. }) if host.equal(class, other)? => {
                    if host.equal(data, own)? {
                        None
                    } else {
                        let (a, b) = (host.repr(data)?, host.repr(own)?);
                        Some(format!("Mismatch custom {what}node data: {a} != {b}; value: {}.", shown()?))
                    }
                }
                _ => {
                    let class = host.repr(class)?;
                    Some(format!("Custom {what}node type mismatch: expected type: {class}, value: {}.", shown()?))
                }
            }
        }
    };
    if let Some(problem) = problem {
        return wrong(problem);
    }
    def.0.children.iter().zip(&children).try_for_each(|(d, c)| up_to(host, d, c, found))
}

fn list_repr<H: Host>(host: &H, items: &[H::Object]) -> Step<String> {
    Ok(format!("[{}]", items.iter().map(|i| host.repr(i)).collect::<Step<Vec<String>>>()?.join(", ")))
}

#[cfg(test)]
#[path = "pytree_tests.rs"]
mod tests;
