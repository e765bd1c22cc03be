"""Wider calls of the names that programs use most (`often.txt`): every argument may be a thing of another kind than usual, be spelled
with its name, and come with options, so that what a function takes and refuses is asked at more places than its signature shows.
"""
import inspect
from pathlib import Path

OFTEN = set((Path(__file__).with_name("often.txt")).read_text("utf-8").split())
KEPT = {"value": 16, "error": 6}
TRIED = 70
FEW = {"value": 5, "error": 3}, 30            # the same of names that programs use less, where those are asked


def kinds(text):
    return text.split()


ARRAYS = kinds("""F34 F3 I34 B34 H34 C3 S0 W0 V0 I0 W3 U3 G3 E0 E03 F244 N34 D3 L3 T3 Z3 D33 M0 J0 np.float64(2) np.bool_(True) np.zeros((0,3)) np.array(3) 0 2 -1
    2.5 True 1j [1,2,3] [1.,2.] [[1,2],[3,4]] [True,False] [F3,F3] [S0,1] [] (1,2.5) ((1,2),(3,4)) range(3) None I3.astype(jnp.int8) F34[:,None] F3[None]
    F34.astype('float8_e5m2') I3.astype(jnp.uint32) np.arange(3,dtype=np.uint8) np.ones((2,3,4),np.float16)""")
AXES = kinds("0 1 -1 -2 2 -3 5 None () (0,) (-1,) (0,1) (-1,0) (-1,-2) (0,0) (0,2) [0] [0,1] np.int32(1) np.int64(-1) I0 L3 True 1.0 '0'")
SHAPES = kinds("() 0 3 (3,) (2,3) [2,3] (0,) (3,0) (2,-1) -1 (4,3) (1,3,4) (3,4) (12,) 12 (np.int64(2),3) np.int32(3) (I0,2) I0 I3 L3 L3[:1] np.array([2,3]) (2.,) 1.5 True None range(2) '3'")
DTYPES = kinds("'float32' 'int8' 'f4' '<f4' 'bool' 'float64' 'complex64' 'bfloat16' np.int16 np.float16 jnp.bfloat16 jnp.dtype('uint8') bool int float complex np.int64 'i8' 'no' "
               "jnp.int4 F3.dtype L3.dtype object str None 3 jnp.uint32 np.dtype('float32')")
COUNTS = kinds("0 1 2 3 -1 7 None 1.5 2. True I0 J0 S0 np.int32(2) np.array(2) (1,) (1,2) [1,2] L3 '2'")
FLAGS = kinds("True False None 1 0 B3[0] 'yes'")
NUMBERS = kinds("0 1 -1. 0.5 2. 1e-3 1j True None S0 W0 I0 F3 F34 D3 L3 M0 J0 [1.,2.,3.] jnp.inf")
INDICES = kinds("0 -1 7 I3 L3 [0,1] (0,1) I34 B3 E0 I3[:0] np.array([1]) np.int64(1) I0 J0 1.5 F3 None True [[0],[1]] U3 -I3")
LISTS = kinds("[F3,F3] (F3,I3) [F34,F34] [F3] () [] F34 F244 N34 [D3,D3] [F3,D3] [1,2] (1.,2) [[1,2],[3,4]] [E0,F3] [S0,1.] [W0,2] F3 [F3,F34] [F3,None] {'a':F3} "
              "[T3,F3] [H3,F3] [H3,1.] [C3,F3] 2 None 'no'")
TREES = kinds("F3 [F3,F3] (F3,{'k':I3}) None {} 2 TREE {'b':F3,'a':N34} [None,F3] ((),[F3]) D3")
WHERES = kinds("None True False B34 B3 T3 F3 I3 [True,False,True] B34[0]")

BY_NAME = [
    ("axis axes axis1 axis2 dimension dimensions source destination dim permutation in_axis out_axis batch_axis start_dim", AXES),
    ("shape newshape sizes new_sizes sample_shape dims N", SHAPES),
    ("dtype new_dtype preferred_element_type index_dtype", DTYPES),
    ("n k M m num size total_repeat_length offset ddof nlags num_segments num_classes length minlength decimals repeats shift slice_size correction "
     "ndmin count indices_or_sections start_index limit_index reps", COUNTS),
    ("start stop step", COUNTS + ["2.5", "F3", "1j", "[0.,1.]", "D3", "W0"]),
    ("where", WHERES), ("idx indices segment_ids index i start_indices limit_indices strides operand_indices scatter_indices", INDICES),
    ("tup arrays arys operands arrs seq choices xs", LISTS), ("tree", TREES),
    ("minval maxval initial fill_value constant_values loc scale negative_slope alpha beta a_min a_max min max nan posinf neginf "
     "p df nu lam concentration rate mean sigma x_min x_max lower upper epsilon rtol atol tol rcond stddev value", NUMBERS),
    ("key", kinds("KEY KEY0 KEYS KEY[None] jax.random.key(1,impl='rbg') 0 None F3 I3 jax.random.PRNGKey(1)[None] KEYS[:0] jnp.zeros(2,jnp.uint32) [KEY,KEY]")),
]
POOLS = {name: values for names, values in BY_NAME for name in names.split()}
TEXTS = ["'no'", "''", "None", "0"]


def also(parameter, usual):
    """What else to give for a parameter, beside what is usual for it."""
    default = parameter.default
    if parameter.name in POOLS:
        return POOLS[parameter.name]
    if isinstance(default, bool):
        return FLAGS
    if isinstance(default, int):
        return COUNTS
    if isinstance(default, float):
        return NUMBERS
    if isinstance(default, str):
        return TEXTS
    if default is inspect.Parameter.empty:
        return ARRAYS if usual and usual[0][0] in "FSIBCHN" else ["None"]
    return ["None"]


class Wider:
    """The calls of one function, in the order in which they are asked."""

    def __init__(self, draw, needed, optional, rest, pool):
        self.draw, self.rest, self.pool = draw, rest, pool
        self.needed, self.optional = needed, optional
        self.worked = {}

    def value(self, parameter, odd):
        """Half of the time what has worked before, else something usual or odd."""
        usual = self.pool(parameter)
        worked = self.worked.get(parameter.name)
        if not odd:
            return self.draw.choice(worked) if worked and self.draw.random() < 0.7 else self.draw.choice(usual[:8])
        return self.draw.choice(also(parameter, usual))

    def next(self):
        """A call as its parts: parameter, value, whether spelled with the name."""
        draw = self.draw
        odd = draw.randrange(len(self.needed) + 1) if self.needed else 0
        parts, named = [], False
        for i, p in enumerate(self.needed):
            spelled = p.kind is p.KEYWORD_ONLY or p.kind is p.POSITIONAL_OR_KEYWORD and (named or draw.random() < 0.15)
            if named and p.kind is p.POSITIONAL_ONLY:
                spelled = False
            named = named or spelled
            parts.append((p, self.value(p, i == odd or draw.random() < 0.2), spelled))
        options = draw.sample(self.optional, min(len(self.optional), draw.choice((0, 1, 1, 2, 3))))
        options.sort(key=self.optional.index)
        for p in options:
            if p.kind is p.POSITIONAL_ONLY:
                continue
            # An option may stand in its place, where it is the next one.
            place = not named and p.kind is p.POSITIONAL_OR_KEYWORD and self.optional.index(p) == len(parts) - len(self.needed) and draw.random() < 0.4
            named = named or not place
            parts.append((p, self.value(p, draw.random() < 0.75), not place))
        if self.rest and not named and draw.random() < 0.3:
            parts.append((inspect.Parameter("more", inspect.Parameter.POSITIONAL_ONLY), draw.choice(ARRAYS), False))
        return parts

    def succeeded(self, parts):
        for p, value, _ in parts:
            self.worked.setdefault(p.name, []).append(value)


def ask_more(name, needed, optional, rest, pool, draw, ask, room=KEPT, tried=TRIED):
    """Further calls of the function and what real JAX says of them."""
    calls, kept, seen = Wider(draw, needed, optional, rest, pool), {}, dict.fromkeys(room, 0)
    for _ in range(tried):
        if all(seen[kind] >= most for kind, most in room.items()):
            break
        parts = calls.next()
        text = ", ".join(f"{p.name}={value}" if named else value for p, value, named in parts)
        call = f"@({text})"
        if call in kept or call in name.kept:
            continue
        found = ask(call.replace("@", name.path))
        if found is None:
            continue
        kind = "error" if found.startswith("!") else "value"
        if kind == "value":
            calls.succeeded(parts)
        if seen[kind] < room[kind]:
            seen[kind] += 1
            kept[call] = found
    return kept
