"""`einsum`: reading subscripts, choosing an order of contraction, and contracting.

The order is the one opt_einsum finds: exhaustive up to four operands (strict improvement over pairs in order), greedy from
fifteen on. Between them the search here is exhaustive up to six and a simpler greedy one then, which may differ from opt_einsum's
among equally good orders.
"""
import heapq
import itertools
import math

from _jitlens import core, prims as p

from . import _low


def einsum(subscripts, /, *operands, out=None, optimize="auto", precision=None, preferred_element_type=None, _dot_general=None,
           out_sharding=None):
    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.einsum is not supported.")
    inputs, output, operands = parse(subscripts, operands)
    operands = [core.arraylike_value(x) for x in operands]
    steps = plan(inputs, output, [_shape(x) for x in operands], optimize)
    core.check_arraylike("einsum", *operands)
    return contract([core.asarray(x) for x in operands], steps, precision, preferred_element_type, _dot_general)


def contract(operands, steps, precision, preferred_element_type, _dot_general=None):
    """The array that is left when the steps of a plan are done, with the operands popped from their list."""
    if preferred_element_type is None:
        element, weak = core.result_type(*operands, return_weak=True)
    else:
        element, weak = core.user_dtype(preferred_element_type, "einsum"), False
    for places, removed, names, result in steps:
        taken = [operands.pop(i) for i in places]
        if len(taken) == 1:
            operand, got = _contract_one(taken[0], names[0], sorted(removed), result, element)
        elif len(taken) == 2:
            operand, got = _contract_two(taken, names, sorted(removed), result, element, precision, _dot_general)
        else:
            raise NotImplementedError("jax.numpy.einsum does not support simultaneous contraction of 3 or more operands. Typically "
                                      "this means you've passed an unsupported path to the einsum optimize parameter.")
        if got != result:
            operand = _low.transpose(operand, [got.index(name) for name in result])
        operands.append(operand)
    return core.convert(operands[0], element, weak)


def einsum_path(subscripts, /, *operands, optimize="auto"):
    inputs, output, operands = parse(subscripts, operands)
    steps = plan(inputs, output, [_shape(x) for x in operands], optimize)
    return [tuple(sorted(step[0])) for step in steps], None


# --------------------------------------------------------------------------------------------------------- subscripts

def _shape(x):
    if isinstance(x, (list, tuple)):
        return _lengths(x)
    if hasattr(x, "shape"):
        return x.shape
    if isinstance(x, (bool, int, float, complex, str)):
        return ()
    raise ValueError(f"Cannot determine the shape of {x}, can only determine the shape of array-like objects.")


def _lengths(x):
    # Only first items are looked into: an empty container has none.
    return (len(x), *_lengths(x[0])) if isinstance(x, (list, tuple)) else ()


def _symbol(i):
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return letters[i] if i < 52 else chr(i + 140)


def _interleaved(operands):
    """`einsum(x, [0, 1], y, [1, 2], [0, 2])` as subscripts."""
    operands = list(operands)
    arrays, lists = operands[0:len(operands) // 2 * 2:2], operands[1:len(operands) // 2 * 2:2]
    output = operands[-1] if len(operands) % 2 else None
    try:
        labels = sorted({label for labels in lists for label in labels if label is not Ellipsis})
    except TypeError:
        raise TypeError("For this input type lists must contain either Ellipsis or hashable and comparable object (e.g. int, str).")
    symbols = {label: _symbol(i) for i, label in enumerate(labels)}
    symbols[Ellipsis] = "..."

    def text(labels):
        return "".join(symbols[label] for label in labels)
    subscripts = ",".join(map(text, lists))
    return subscripts if output is None else subscripts + "->" + text(output), arrays


def _implicit_output(inputs):
    joined = inputs.replace(",", "")
    return "".join(name for name in sorted(set(joined)) if joined.count(name) == 1)


def parse(subscripts, operands):
    """(list of input names, output names, operands), with ellipses and an implicit output spelled out."""
    if isinstance(subscripts, str):
        subscripts = subscripts.replace(" ", "")
        for x in operands:
            if isinstance(x, (list, tuple)):
                # They are made arrays of NumPy's, which tracers refuse.
                import numpy
                numpy.asarray(x)
    else:
        subscripts, operands = _interleaved((subscripts, *operands))
    if "-" in subscripts or ">" in subscripts:
        if subscripts.count("-") > 1 or subscripts.count(">") > 1 or subscripts.count("->") != 1:
            raise ValueError("Subscripts can only contain one '->'.")
    inputs, arrow, output = subscripts.partition("->")
    terms = inputs.split(",")
    if "." in subscripts:
        terms, output = _spell_out_ellipses(subscripts, terms, arrow, output, [_shape(x) for x in operands])
    elif not arrow:
        output = _implicit_output(inputs)
    inputs = ",".join(terms)
    for name in output:
        if output.count(name) != 1:
            raise ValueError(f"Output character '{name}' appeared more than once in the output.")
        if name not in inputs:
            raise ValueError(f"Output character '{name}' did not appear in the input")
    if len(terms) != len(operands):
        raise ValueError(f"Number of einsum subscripts, {len(terms)}, must be equal to the number of operands, {len(operands)}.")
    return terms, output, operands


def _spell_out_ellipses(subscripts, terms, arrow, output, shapes):
    used = subscripts.replace(".", "").replace(",", "").replace("->", "")
    rank = max(map(len, shapes))
    free = "".join(itertools.islice((s for s in map(_symbol, itertools.count()) if s not in used), rank))
    longest = 0
    for i, term in enumerate(terms):
        if "." not in term:
            continue
        if term.count(".") != 3 or term.count("...") != 1:
            raise ValueError("Invalid Ellipses.")
        count = 0 if shapes[i] == () else max(len(shapes[i]), 1) - (len(term) - 3)
        longest = max(longest, count)
        if count < 0:
            raise ValueError("Ellipses lengths do not match.")
        terms[i] = term.replace("...", free[len(free) - count:] if count else "")
    names = free[len(free) - longest:] if longest else ""
    if arrow:
        return terms, output.replace("...", names)
    rest = _implicit_output(",".join(terms))
    return terms, names + "".join(sorted(set(rest) - set(names)))


# -------------------------------------------------------------------------------------------------------------- order

def plan(terms, output, shapes, optimize):
    """The contractions in order: (places of the operands, removed names, their names, names of the result)."""
    sizes = {}
    for i, (term, shape) in enumerate(zip(terms, shapes)):
        if len(shape) != len(term):
            raise ValueError(f"Einstein sum subscript '{term}' does not contain the correct number of indices for operand {i}.")
        for name, size in zip(term, shape):
            # A symbolic size is asked whether it is 1 only where it meets another.
            if name not in sizes or isinstance(sizes[name], int) and sizes[name] == 1:
                sizes[name] = size
            elif size != sizes[name] and size != 1:
                raise ValueError(f"Size of label '{name}' for operand {i} ({sizes[name]}) does not match previous terms ({size}).")
    steps, remaining = [], list(terms)
    path = _path(terms, output, sizes, optimize)
    for number, places in enumerate(path):
        places = tuple(sorted(places, reverse=True))
        taken = [remaining.pop(i) for i in places]
        inside = set().union(*taken)
        keep = inside & set(output).union(*remaining)
        if number == len(path) - 1:
            result = output
        else:
            order = "".join(taken)
            result = "".join(sorted(keep, key=order.find))
        steps.append((places, inside - keep, taken, result))
        remaining.append(result)
    return steps


def _path(terms, output, sizes, optimize):
    count = len(terms)
    if isinstance(optimize, (list, tuple)):
        return [place for place in optimize if not isinstance(place, str)]
    if count <= 2:
        return [tuple(range(count))]
    if optimize is False:
        return [(0, 1)] * (count - 1)
    if isinstance(optimize, str) and optimize not in _OPTIMIZERS:
        raise KeyError(f"Path optimizer '{optimize}' not found, valid options are {_OPTIMIZERS}.")
    exact = count <= 6 and optimize != "greedy" or optimize in ("optimal", True, "dp") and count <= 8
    sets, keep = [frozenset(term) for term in terms], frozenset(output)
    find = _best_path if exact else _nearest_path if count <= 14 and optimize != "greedy" else _greedy_path
    return _linear(find(sets, keep, sizes), count)


_OPTIMIZERS = {"auto", "auto-hq", "optimal", "branch-all", "branch-2", "branch-1", "greedy", "eager", "opportunistic", "dp",
               "dynamic-programming"}


def _pair(sets, output, remaining, i, j, sizes):
    """(names of the contraction of two operands, its cost)."""
    either = sets[i] | sets[j]
    keep = output.union(*[sets[k] for k in remaining if k != i and k != j])
    cost = math.prod(sizes[name] for name in either)
    return either & keep, cost * 2 if (sets[i] & sets[j]) - keep else cost


def _best_path(sets, output, sizes):
    """Exhaustive search for the fewest operations; the first of equals wins."""
    best = [math.inf, None]

    def search(path, remaining, sets, cost):
        if len(remaining) == 1:
            best[0], best[1] = cost, path
            return
        for i, j in itertools.combinations(remaining, 2):
            result, more = _pair(sets, output, remaining, i, j, sizes)
            if cost + more < best[0]:
                rest = [k for k in remaining if k != i and k != j] + [len(sets)]
                search(path + ((i, j),), rest, sets + [result], cost + more)
    search((), list(range(len(sets))), sets, 0)
    return best[1]


def _nearest_path(sets, output, sizes):
    """Always the pair that leaves the smallest result against what it uses up, pairs that share names first;
    all pairs are looked at each time."""
    sets, remaining, path = list(sets), list(range(len(sets))), []

    def weight(pair):
        i, j = pair
        result, _ = _pair(sets, output, remaining, i, j, sizes)

        def size(names):
            return math.prod(sizes[name] for name in names)
        return not sets[i] & sets[j], size(result) - size(sets[i]) - size(sets[j]), pair
    while len(remaining) > 1:
        i, j = min(itertools.combinations(remaining, 2), key=weight)
        sets.append(_pair(sets, output, remaining, i, j, sizes)[0])
        remaining = [k for k in remaining if k != i and k != j] + [len(sets) - 1]
        path.append((i, j))
    return path


def _greedy_path(sets, output, sizes):
    """What has the same names first, then always the pair that leaves the smallest result against what it uses up, and what shares
    no names at the end, the smallest first. Pairs wait in a heap: each operand brings its best one along."""
    # A name that all have stays until the last contraction, as one of the output does.
    output = output | frozenset.intersection(*sets)
    path, fresh, ids, users, volumes, waiting = [], itertools.count(len(sets)), {}, {}, {}, []

    def volume(names):
        if names not in volumes:
            volumes[names] = math.prod(sizes[name] for name in names)
        return volumes[names]

    def add(names, i):
        if names in ids:
            path.append((ids[names], i))
            i = next(fresh)
        ids[names] = i
        for name in names - output:
            users.setdefault(name, set()).add(names)

    def candidate(a, b):
        both = a & b
        result = frozenset(name for name in a | b if name in output or len(users[name]) > (2 if name in both else 1))
        first, second = sorted((a, b), key=ids.__getitem__)
        return volume(result) - volume(a) - volume(b), ids[second], ids[first], first, second, result

    def offer(a, others):
        if others:
            heapq.heappush(waiting, min((candidate(a, b) for b in others), key=lambda found: found[:3]))

    for i, names in enumerate(sets):
        add(names, i)
    for sharing in users.values():
        sharing = sorted(sharing, key=ids.__getitem__)
        for i, names in enumerate(sharing):
            offer(names, sharing[i + 1:])
    while waiting:
        _, j, i, a, b, result = heapq.heappop(waiting)
        if a not in ids or b not in ids:
            continue
        path.append((ids.pop(a), ids.pop(b)))
        for names in (a, b):
            for name in names - output:
                users[name].discard(names)
        add(result, next(fresh))
        offer(result, {names for name in result - output for names in users[name]} - {result})
    apart = [(volume(names & output), i, names) for names, i in ids.items()]
    heapq.heapify(apart)
    while len(apart) > 1:
        (_, i, a), (_, j, b) = heapq.heappop(apart), heapq.heappop(apart)
        path.append((min(i, j), max(i, j)))
        names = (a | b) & output
        heapq.heappush(apart, (volume(names), next(fresh), names))
    return path


def _linear(path, count):
    """From ids that are never reused to positions in the shrinking list of operands."""
    ids, found = list(range(count)), []
    for pair in path:
        found.append(tuple(sorted(ids.index(i) for i in pair)))
        ids = [i for i in ids if i not in pair] + [count + len(found) - 1]
    return found


# ------------------------------------------------------------------------------------------------------- contraction

def _sum(x, axes, element):
    if core.result_type(x, element) != x.dtype:
        x = core.convert(x, element)
    return p.reduce_or(x, axes=tuple(axes)) if x.dtype == bool else p.reduce_sum(x, axes=tuple(axes))


def _sum_unique(x, names, unique, element):
    if not unique:
        return x, names
    x = _sum(x, [names.index(name) for name in unique], element)
    return x, "".join(name for name in names if name not in unique)


def _sum_repeated(x, names, counted, keep, element):
    """Takes the diagonal of axes with the same name, summing it away unless the name is kept."""
    for name in dict.fromkeys(counted):
        count = counted.count(name)
        if count > 1:
            axes = [i for i, n in enumerate(names) if n == name]
            x = p.select_n(_diagonal_mask(x.shape, axes), core.full_like(x, 0), x)
            if name in keep:
                x = _sum(x, axes[:-1], element)
                names = names.replace(name, "", count - 1)
            else:
                x = _sum(x, axes, element)
                names = names.replace(name, "")
    return x, names


def _diagonal_mask(shape, axes):
    base = tuple(shape[i] for i in axes)
    iotas = [_low.broadcasted_iota(core.canonical_dtype("uint32"), base, i) for i in range(len(base))]
    mask = None
    for a, b in zip(iotas, iotas[1:]):
        mask = p.eq(a, b) if mask is None else p.and_(mask, p.eq(a, b))
    mask = p.convert_element_type(mask, new_dtype=core.canonical_dtype(bool), weak_type=False)
    return p.broadcast_in_dim(mask, shape=shape, broadcast_dimensions=tuple(axes))


def _contract_one(x, names, removed, result, element):
    counted = names
    x, names = _sum_unique(x, names, [name for name in removed if counted.count(name) == 1], element)
    return _sum_repeated(x, names, counted, result, element)


def _drop_singletons(x, names, other_shape, other_names):
    """Drops axes of size one that are longer in the other operand."""
    drop = []
    for i, name in enumerate(names):
        j = other_names.find(name)
        if j != -1 and x.shape[i] != other_shape[j] and x.shape[i] == 1:
            drop.append(i)
    return _low.squeeze(x, drop), "".join(name for i, name in enumerate(names) if i not in drop)


def _contract_two(operands, names, removed, result, element, precision, dot_general):
    (a, b), (a_names, b_names) = operands, names
    a, a_names = _drop_singletons(a, a_names, b.shape, b_names)
    b, b_names = _drop_singletons(b, b_names, a.shape, a_names)
    a_counted, b_counted = a_names, b_names
    a, a_names = _sum_unique(a, a_names, [n for n in removed if a_counted.count(n) == 1 and n not in b_counted], element)
    b, b_names = _sum_unique(b, b_names, [n for n in removed if b_counted.count(n) == 1 and n not in a_counted], element)
    a, a_names = _sum_repeated(a, a_names, a_counted, result + b_names, element)
    b, b_names = _sum_repeated(b, b_names, b_counted, result + a_names, element)
    contracted = [name for name in removed if name in a_names or name in b_names]
    batch = [name for name in result if name in a_names and name in b_names]
    assert all(name in a_names and name in b_names and a.shape[a_names.index(name)] == b.shape[b_names.index(name)]
               for name in contracted), (f"Incompatible reduction dimensions: lhs.shape={a.shape} lhs_names={a_names}"
                                         f" rhs.shape={b.shape} rhs_names={b_names}")
    gone = batch + contracted
    a_rest = "".join(name for name in a_names if name not in gone)
    b_rest = "".join(name for name in b_names if name not in gone)
    swapped = "".join(batch) + b_rest + a_rest == result
    if swapped:
        a, b, a_names, b_names = b, a, b_names, a_names
    names = result if swapped else "".join(batch) + a_rest + b_rest
    dimensions = ((tuple(a_names.index(n) for n in contracted), tuple(b_names.index(n) for n in contracted)),
                  (tuple(a_names.index(n) for n in batch), tuple(b_names.index(n) for n in batch)))
    if dot_general is not None:
        return dot_general(a, b, dimensions, precision, preferred_element_type=element), names
    return p.dot_general(a, b, dimension_numbers=dimensions, precision=core.precision(precision), preferred_element_type=element), names
