"""The call hierarchy: who calls whom as the program was traced, functions of the program and of the framework."""

from conftest import Document, capabilities, session
from lsprotocol import types as t

PROGRAM = """\
import jax
import jax.numpy as jnp
from jax import lax


def scaled(x):
    return jnp.sin(x) * 2.0


def body(carry, x):
    carry = carry + scaled(x)
    return carry, jnp.cos(carry)


@jax.jit
def total(xs):
    end, _ = lax.scan(body, 0.0, xs)
    return end


print(total(jnp.ones(4)))
"""


async def prepared(client, document, place, offset=0):
    at = document.position(document.find(place) + offset)
    params = t.CallHierarchyPrepareParams(t.TextDocumentIdentifier(document.uri), at)
    return list(await client.text_document_prepare_call_hierarchy_async(params) or [])


async def outgoing(client, item):
    rows = await client.call_hierarchy_outgoing_calls_async(t.CallHierarchyOutgoingCallsParams(item))
    return {row.to.name: row for row in rows}


async def incoming(client, item):
    rows = await client.call_hierarchy_incoming_calls_async(t.CallHierarchyIncomingCallsParams(item))
    return {row.from_.name: row for row in rows}


async def test_calls_down_and_up(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": ""})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(document)
        [total] = await prepared(client, document, "total(xs)")
        assert (total.name, total.kind, total.uri) == ("total", t.SymbolKind.Function, document.uri)
        assert document.at(total.selection_range) == "total"
        down = await outgoing(client, total)
        assert list(down) == ["jax.lax.scan"]
        scan = down["jax.lax.scan"]
        assert [document.at(place) for place in scan.from_ranges] == ["lax.scan(body, 0.0, xs)"]
        # What a function of the framework calls are the functions that it was given.
        assert list(await outgoing(client, scan.to)) == ["body"]
        body = (await outgoing(client, scan.to))["body"].to
        down = await outgoing(client, body)
        assert set(down) == {"scaled", "jax.numpy.cos"}
        assert [document.at(place) for place in down["scaled"].from_ranges] == ["scaled(x)"]
        assert set(await outgoing(client, down["scaled"].to)) == {"jax.numpy.sin"}
        # And up again.
        assert set(await incoming(client, down["scaled"].to)) == {"body"}
        assert set(await incoming(client, body)) == {"jax.lax.scan"}
        assert set(await incoming(client, scan.to)) == {"total"}
        [module] = [row.from_ for row in (await incoming(client, list((await incoming(client, total)).values())[0].from_)).values()]
        assert (module.name, module.kind) == ("train.py", t.SymbolKind.Module)


async def test_calls_of_the_framework_are_found_at_their_place(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": ""})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(document)
        [sine] = await prepared(client, document, "jnp.sin", 5)
        assert (sine.name, document.at(sine.range)) == ("jax.numpy.sin", "jnp.sin(x)")
        assert set(await incoming(client, sine)) == {"scaled"} and await outgoing(client, sine) == {}
        # Nothing was traced there.
        assert await prepared(client, document, "import jax\n") == []


async def test_calls_follow_edits(project):
    root = project({"train.py": PROGRAM, "pyproject.toml": ""})
    async with session(capabilities(), root=root) as client:
        document = Document(client, (root / "train.py").as_uri(), PROGRAM)
        await client.pushed(document)
        [body] = await prepared(client, document, "body(carry")
        at = document.text.index("jnp.cos")
        document.change((at, at + 7, "jnp.tanh"), (0, 0, "# more\n"))
        assert set(await outgoing(client, body)) == {"scaled", "jax.numpy.tanh"}
