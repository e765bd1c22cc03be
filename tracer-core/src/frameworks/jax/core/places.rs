//! Where eager arrays lie.

use super::{Members, services::array_of};
use crate::python::Value;

/// The services.
pub fn members(members: &mut Members) {
    // Notes where an eager array lies: a sharding, or None where that is not known.
    members.function("note_sharding", |it, args| {
        let [x, sharding] = args.exactly("note_sharding")?;
        let array = array_of(it, &x)?;
        it.engine.places.note(&array, (!sharding.is_none()).then_some(sharding));
        Ok(x)
    });
    // The sharding noted, None for one that is not known, False where nothing was noted.
    members.function("noted_sharding", |it, args| {
        let [x] = args.exactly("noted_sharding")?;
        let Value::Array(array) = &x else { return Ok(Value::Bool(false)) };
        Ok(it.engine.places.get(array).map_or(Value::Bool(false), |noted| noted.unwrap_or(Value::None)))
    });
    members.function("anything_placed", |it, _| Ok(Value::Bool(it.engine.places.any())));
    members.function("placed_within_graphs", |it, _| {
        it.engine.places.within_graphs();
        Ok(Value::None)
    });
    // The mesh that the program has set belongs to the keys of traces.
    members.function("set_context_mesh", |it, args| {
        let [text] = args.exactly("set_context_mesh")?;
        let mut config = (*it.engine.config()).clone();
        config.mesh = text.as_str().map(Into::into);
        it.engine.set_config(config);
        Ok(Value::None)
    });
    // Another array with the same numbers.
    members.function("another", |it, args| {
        let [x] = args.exactly("another")?;
        Ok(Value::Array(array_of(it, &x)?.another()))
    });
}
