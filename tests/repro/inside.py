"""Runs texts, each in a process of its own that has JAX at hand: prints what each does, as JSON."""

import ast
import json
import os
import select
import signal
import sys

import jax
import jax.numpy
import numpy

SECONDS = 60
MOST = 5000
SHORT = {"float32": "f32", "int32": "i32", "bool": "bool", "bfloat16": "bf16", "float16": "f16", "float64": "f64",
         "int64": "i64", "uint32": "u32", "uint8": "u8", "int8": "i8", "int16": "i16", "uint16": "u16",
         "complex64": "c64", "complex128": "c128", "uint64": "u64", "float8_e4m3fn": "f8_e4m3fn", "key<fry>": "key<fry>"}


def aval(leaf):
    shape = ",".join(str(n) for n in leaf.shape)
    return f"{SHORT.get(str(leaf.dtype), str(leaf.dtype))}[{shape}]"


def numbers(leaf):
    """The numbers of an array, as many as there are to compare."""
    if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        leaf = jax.random.key_data(leaf)
    if leaf.dtype == jax.dtypes.float0:
        return []
    flat = numpy.asarray(leaf).ravel()[:MOST]
    if numpy.iscomplexobj(flat):
        flat = numpy.concatenate([flat.real, flat.imag])
    return [float(n) for n in flat.astype(numpy.float64)]


def shake(leaf, draw):
    """An array that differs in the last bit of its numbers."""
    if not isinstance(leaf, (jax.Array, numpy.ndarray)) or not jax.numpy.issubdtype(leaf.dtype, numpy.floating):
        return leaf
    step = float(jax.numpy.finfo(leaf.dtype).eps) / 2 * draw.choice([-1, 0, 1], leaf.shape)
    return (leaf * (1 + step)).astype(leaf.dtype)


def shake_file(draw):
    """Arrays in the file beside a text differ so: functions close over them that are no arguments."""
    load = numpy.load
    numpy.load = lambda path: {name: shake(array, draw) for name, array in load(path).items()}


def shaken(tree, path, space, draw):
    """The value of a call whose arguments differ so."""
    space["shake"] = lambda *args, **keywords: jax.tree.map(lambda leaf: shake(leaf, draw), (args, keywords))
    space["callee"] = eval(compile(ast.Expression(tree.func), path, "eval"), space)
    given = ast.copy_location(ast.Call(ast.copy_location(ast.Name("shake", ast.Load()), tree), tree.args, tree.keywords), tree)
    args, keywords = eval(compile(ast.fix_missing_locations(ast.Expression(given)), path, "eval"), space)
    return space["callee"](*args, **keywords)


def outcome(name, text):
    """What a text does, or a text that lies at a path: as it is, or with shaken arguments."""
    path = text["path"] if isinstance(text, dict) else name
    seed = text.get("shake") if isinstance(text, dict) else None
    text = text["text"] if isinstance(text, dict) else text
    space = {"__name__": "__main__", "__file__": path}
    draw = None if seed is None else numpy.random.default_rng(seed)
    if draw is not None:
        shake_file(draw)
    try:
        tree = ast.parse(text)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        # Messages quote source lines: they are the text's own.
        exec(compile(tree, path, "exec"), space)
        if last is None:
            return [None, [], []]
        if draw is not None:
            value = shaken(last.value, path, space, draw)
        else:
            value = eval(compile(ast.Expression(last.value), path, "eval"), space)
        jax.block_until_ready(value)
        leaves = [leaf for leaf in jax.tree.leaves(value) if isinstance(leaf, jax.Array)]
        return [None, [aval(leaf) for leaf in leaves], [numbers(leaf) for leaf in leaves]]
    except BaseException as error:
        return [type(error).__name__, str(error)]


def run(name, text):
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        with os.fdopen(write, "w") as out:
            out.write(json.dumps(outcome(name, text)))
        os._exit(0)
    os.close(write)
    said = b""
    with os.fdopen(read, "rb") as pipe:
        while select.select([pipe], [], [], SECONDS)[0]:
            part = os.read(pipe.fileno(), 1 << 16)
            if not part:
                break
            said += part
        else:
            os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return json.loads(said) if said else ["Hang", ""]


def main():
    texts = json.load(open(sys.argv[1]))
    print(json.dumps({name: run(name, text) for name, text in texts.items()}))


main()
