use std::rc::Rc;

use super::*;
use crate::array::DType;

/// A structure is a text.
struct Texts;

impl Compare<&'static str> for Texts {
    fn equal(&self, a: &&'static str, b: &&'static str) -> Step<bool> {
        Ok(a == b)
    }
    fn differences(&self, now: &&'static str, before: &&'static str) -> Step<Vec<String>> {
        Ok(if now == before { vec![] } else { vec![format!("now {now} and before {before}")] })
    }
}

fn key(structure: &'static str, size: usize, weak: bool, config: Config) -> Key<&'static str> {
    let aval = Aval { weak, ..Aval::new(DType::F32, [size]) };
    let names: [Rc<str>; 1] = ["x".into()];
    Key {
        structure,
        structure_hash: structure.len() as u64,
        avals: [aval].into(),
        names: names.into(),
        config: Rc::new(config),
    }
}

#[test]
fn lookups_hit_and_misses_name_the_nearest_key() {
    let mut cache: Cache<u32, &'static str, u32> = Cache::default();
    let first = key("(*,)", 3, false, Config::default());
    assert_eq!(cache.explain(&1, &first, 7, &Texts).unwrap(), Miss::NewFunction { same_place: false });
    cache.insert(1, first.clone(), 10);
    assert_eq!(cache.get(&1, &first, &Texts).unwrap(), Some(10));
    assert_eq!(cache.explain(&2, &first, 7, &Texts).unwrap(), Miss::NewFunction { same_place: true });

    let cause = |cache: &mut Cache<u32, &'static str, u32>, key| match cache.explain(&1, key, 8, &Texts).unwrap() {
        Miss::Differs { nearest, .. } => nearest.text(),
        other => format!("{other:?}"),
    };
    let other = key("(*,)", 4, false, Config::default());
    assert_eq!(cache.get(&1, &other, &Texts).unwrap(), None);
    assert_eq!(cause(&mut cache, &other), "different input types:\n  * at x, now f32[4] and before f32[3]");
    let weak = key("(*,)", 3, true, Config::default());
    let text = "different input types:\n  * at x, now f32[3]{weak_type=True} and before f32[3]{weak_type=False}";
    assert_eq!(cause(&mut cache, &weak), text);
    let wide = key("(*,)", 3, false, Config { enable_x64: true, ..Config::default() });
    assert!(cause(&mut cache, &wide).ends_with("* jax_enable_x64 differs: now True and before False"));
    let nans = key("(*,)", 3, false, Config { debug_nans: true, ..Config::default() });
    assert_eq!(cache.get(&1, &nans, &Texts).unwrap(), Some(10));
}
