//! What is assigned to.

use super::Emitter;
use crate::interp::flat::op::{Held, NONE, Op, Reg, Shape};
use crate::module::{BinaryOp, Expr, ExprId, Part, Place, Symbol, Target};

/// Where the parts of what a target takes go, if all of them go into local slots.
fn shape_of(target: &Target) -> Option<Shape> {
    match target {
        Target::Name(Place::Local(slot), ..) => Some(Shape::Whole(*slot as Reg)),
        Target::Tuple(targets, _) => Some(Shape::Parts(targets.iter().map(shape_of).collect::<Option<_>>()?)),
        _ => None,
    }
}

impl Emitter<'_> {
    /// `target = value`
    pub(super) fn assign(&mut self, target: &Target, value: ExprId) {
        let module = self.module;
        match (target, module.expr(value)) {
            (Target::Name(Place::Local(slot), ..), _) => self.into(value, *slot as Reg),
            (Target::Tuple(targets, _), Expr::Tuple(items))
                if targets.len() == items.len()
                    && !targets.iter().any(|target| matches!(target, Target::Starred(..)))
                    && !self.starred(items) =>
            {
                let base = self.temporaries(items.len());
                // The last value may go where it belongs: the others have been read.
                let own = match targets.split_last() {
                    Some((Target::Name(Place::Local(slot), ..), others)) => Some(*slot as Reg).filter(|slot| {
                        !others
                            .iter()
                            .any(|other| !matches!(other, Target::Name(Place::Local(s), ..) if *s as Reg != *slot))
                    }),
                    _ => None,
                };
                for (i, item) in items.iter().enumerate() {
                    self.into(*item, own.filter(|_| i + 1 == items.len()).unwrap_or(base + i as Reg));
                }
                let targets = if own.is_some() { &targets[..targets.len() - 1] } else { &targets[..] };
                for (i, target) in targets.iter().enumerate() {
                    let value = base + i as Reg;
                    match target {
                        Target::Name(Place::Local(slot), ..) => {
                            self.emit(Op::Take { dst: *slot as Reg, src: value });
                        }
                        Target::Attribute(object, name, _) if i < usize::from(u8::MAX) => {
                            self.store_into(*object, None, Some(*name), value, i as u8);
                        }
                        Target::Subscript(object, index, _) if i < usize::from(u8::MAX) => {
                            self.store_into(*object, Some(*index), None, value, i as u8);
                        }
                        target => {
                            self.hides(Part::Target(target));
                            self.emit(Op::AssignPart { value, part: i as u16 });
                        }
                    }
                }
            }
            (Target::Attribute(object, name, _), _) => self.store(*object, None, Some(*name), value),
            (Target::Subscript(object, index, _), _) => self.store(*object, Some(*index), None, value),
            _ => {
                let temporary = self.temporaries(1);
                self.into(value, temporary);
                self.bind(target, temporary);
            }
        }
    }

    /// Binds the target of the statement under way to a temporary.
    pub(super) fn bind(&mut self, target: &Target, value: Reg) {
        if let Target::Tuple(targets, _) = target {
            let slots: Option<Box<[Reg]>> = targets
                .iter()
                .map(|target| match target {
                    Target::Name(Place::Local(slot), ..) => Some(*slot as Reg),
                    _ => None,
                })
                .collect();
            if let Some(slots) = slots {
                self.flat.slots.push(slots);
                let slots = (self.flat.slots.len() - 1) as u16;
                self.emit(Op::Unpack { value, slots });
                return;
            }
        }
        if let Some(shape @ Shape::Parts(_)) = shape_of(target) {
            self.flat.shapes.push(shape);
            let shape = (self.flat.shapes.len() - 1) as u16;
            self.emit(Op::UnpackShape { value, shape });
            return;
        }
        if let Target::Name(place, ..) = target {
            let held = Held::of(*place);
            self.emit(Op::AssignName { value, held });
            return;
        }
        self.hides(Part::Target(target));
        self.emit(Op::Assign { value });
    }

    fn store(&mut self, object: ExprId, index: Option<ExprId>, name: Option<Symbol>, value: ExprId) {
        let value = match index {
            Some(index) => self.operand_before(value, &[object, index]),
            None => self.operand_before(value, &[object]),
        };
        self.store_into(object, index, name, value, 0);
    }

    /// Sets an attribute or an item, this one of the targets of the statement under way, to what is in a register.
    fn store_into(&mut self, object: ExprId, index: Option<ExprId>, name: Option<Symbol>, value: Reg, number: u8) {
        let (object, index) = self.place(object, index);
        let named = name.map_or(NONE, |name| self.named(name));
        let site = self.site();
        self.emit(Op::Store { object, index, value, named, site, number });
    }

    /// Binds one of several targets of the statement under way; the value stays where it is.
    pub(super) fn assign_also(&mut self, target: &Target, value: Reg, number: u16) {
        match (target, u8::try_from(number)) {
            (Target::Attribute(object, name, _), Ok(number)) => {
                self.store_into(*object, None, Some(*name), value, number);
            }
            (Target::Subscript(object, index, _), Ok(number)) => {
                self.store_into(*object, Some(*index), None, value, number);
            }
            (target, _) => {
                self.hides(Part::Target(target));
                self.emit(Op::AssignTo { value, number });
            }
        }
    }

    /// The number of the name of an attribute: each place has one of its own.
    pub(super) fn named(&mut self, name: Symbol) -> u16 {
        let number = self.flat.names.len().min(usize::from(NONE)) as u16;
        if number != NONE {
            self.flat.names.push((name, Default::default()));
        }
        number
    }

    /// The registers of an object and an index.
    fn place(&mut self, object: ExprId, index: Option<ExprId>) -> (Reg, Reg) {
        match index {
            Some(index) => (self.operand_before(object, &[index]), self.operand(index)),
            None => (self.operand(object), NONE),
        }
    }

    pub(super) fn augment(
        &mut self,
        op: BinaryOp,
        object: ExprId,
        index: Option<ExprId>,
        name: Option<Symbol>,
        value: ExprId,
    ) {
        // Where one may read the attribute one may not yet set it.
        let read = name.map_or(NONE, |name| self.named(name));
        let named = name.map_or(NONE, |name| self.named(name));
        let (object, index) = self.place(object, index);
        let dst = self.temporaries(1);
        self.emit(Op::Load { dst, object, index, named: read });
        match self.small(value) {
            Some(value) => self.emit(Op::AugmentInt { op, dst, value }),
            None => {
                let value = self.operand(value);
                self.emit(Op::Augment { op, dst, value })
            }
        };
        let site = self.site();
        self.emit(Op::Store { object, index, value: dst, named, site, number: 0 });
    }
}
