//! Settings that traces depend on, as `jax.config` has them.

use std::rc::Rc;

/// What `jax_numpy_rank_promotion` says of operands of different ranks.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum RankPromotion {
    /// `"allow"`
    #[default]
    Allow,
    /// `"warn"`
    Warn,
    /// `"raise"`
    Raise,
}

/// The mesh that is in force while the rule of an equation runs, where none was set: JAX evaluates every equation of a graph
/// under the mesh that it was bound under, which then is an empty one and not the absence of one. What was traced outside is
/// therefore traced again inside.
pub const MESH_OF_EQUATIONS: &str = "AbstractMesh((), axis_types=())";

/// The settings. [`Config::context`] lists those that are part of the key of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Config {
    /// `jax_enable_x64`
    pub enable_x64: bool,
    /// `jax_numpy_rank_promotion`
    pub rank_promotion: RankPromotion,
    /// `jax_numpy_dtype_promotion` is `"strict"`
    pub strict_promotion: bool,
    /// NumPy's own promotion is in force: inside of NumPy's functions.
    pub numpy_promotion: bool,
    /// `jax_default_matmul_precision`
    pub matmul_precision: Option<Rc<str>>,
    /// `jax_default_device`
    pub default_device: Option<Rc<str>>,
    /// `jax_default_prng_impl`; none is `threefry2x32`
    pub prng_impl: Option<Rc<str>>,
    /// `jax_debug_key_reuse`
    pub debug_key_reuse: bool,
    /// The mesh of `jax.set_mesh`
    pub mesh: Option<Rc<str>>,
    /// `jax_softmax_custom_jvp` and further settings by name, as they differ from the default.
    pub others: std::collections::BTreeMap<Rc<str>, Rc<str>>,
    /// `jax_disable_jit`: not part of keys.
    pub disable_jit: bool,
    /// `jax_debug_nans`: not part of keys.
    pub debug_nans: bool,
    /// `jax_check_tracer_leaks`: not part of keys.
    pub check_tracer_leaks: bool,
    /// The run is one for the numbers that functions are given: what stages a function calls it on numbers first. Not part of keys.
    pub only_numbers: bool,
}

impl Config {
    /// Whether what belongs to the key of a trace is the same in other settings.
    pub fn same_context(self: &Rc<Config>, other: &Rc<Config>) -> bool {
        Rc::ptr_eq(self, other) || self == other || self.context() == other.context()
    }
    /// The settings that belong to the key of a trace: name and value as JAX's explanations print them.
    pub fn context(&self) -> Vec<(Rc<str>, String)> {
        let flag = |on: bool| if on { "True" } else { "False" }.to_owned();
        let text = |value: &Option<Rc<str>>| value.as_deref().unwrap_or("None").to_owned();
        let rank = match self.rank_promotion {
            RankPromotion::Allow => "allow",
            RankPromotion::Warn => "warn",
            RankPromotion::Raise => "raise",
        };
        let mut all: Vec<(Rc<str>, String)> = vec![
            ("abstract_mesh_context_manager".into(), text(&self.mesh)),
            ("jax_enable_x64".into(), flag(self.enable_x64)),
            ("jax_numpy_rank_promotion".into(), rank.into()),
            ("jax_numpy_dtype_promotion".into(), if self.strict_promotion { "strict" } else { "standard" }.into()),
            ("jax_default_matmul_precision".into(), text(&self.matmul_precision)),
            ("jax_default_device".into(), text(&self.default_device)),
            ("jax_default_prng_impl".into(), self.prng_impl.as_deref().unwrap_or("threefry2x32").into()),
            ("jax_debug_key_reuse".into(), flag(self.debug_key_reuse)),
        ];
        if self.numpy_promotion {
            all.push(("numpy".into(), "True".into()));
        }
        all.extend(self.others.iter().map(|(name, value)| (name.clone(), value.to_string())));
        all
    }
}
