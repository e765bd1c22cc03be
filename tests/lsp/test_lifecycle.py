"""Beginning and end."""

import asyncio

from conftest import PATIENCE, SERVER, Document, session


class Raw:
    """A client that sends what it likes."""

    @classmethod
    async def start(cls):
        self = cls()
        self.server = await asyncio.create_subprocess_exec(
            SERVER, "server", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
        self.out = b""
        self.send('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}')
        await self.until(b'"id":1')
        return self

    def send(self, text: str):
        self.server.stdin.write(f"Content-Length: {len(text)}\r\n\r\n{text}".encode())

    async def until(self, text: bytes):
        while text not in self.out:
            new = await asyncio.wait_for(self.server.stdout.read(1 << 16), PATIENCE)
            assert new, self.out
            self.out += new

    async def leave(self) -> int:
        self.send('{"jsonrpc":"2.0","method":"exit"}')
        return await asyncio.wait_for(self.server.wait(), PATIENCE)


async def test_it_leaves_on_exit_while_stdin_stays_open():
    client = await Raw.start()
    client.send('{"jsonrpc":"2.0","id":2,"method":"shutdown"}')
    await client.until(b'"id":2')
    assert await client.leave() == 0


async def test_it_leaves_with_an_error_on_exit_without_shutdown():
    client = await Raw.start()
    assert await client.leave() == 1


async def test_it_leaves_when_the_client_is_gone():
    client = await Raw.start()
    client.server.stdin.close()
    assert await asyncio.wait_for(client.server.wait(), PATIENCE) == 1


async def test_it_leaves_while_an_analysis_runs(project):
    root = project({"a.py": ""})
    async with session(root=root) as client:
        Document(client, (root / "a.py").as_uri(), "n = 0\nwhile n >= 0:\n    n = (n + 1) % 1000\n")
        await asyncio.sleep(0.2)


async def test_what_is_no_request_is_answered_with_an_error():
    client = await Raw.start()
    client.send('{"jsonrpc":"2.0","id":3,"method":"no/such","params":{}}')
    await client.until(b"-32601")
    client.send('{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{"textDocument":3}}')
    await client.until(b"-32602")
    client.send('{"jsonrpc":"2.0","id":5,"method":"shutdown"}')
    await client.until(b'"id":5')
    assert await client.leave() == 0


async def test_what_is_no_message_is_answered_with_an_error_and_the_next_one_is_read():
    client = await Raw.start()
    for text, code in [('{"jsonrpc":', b"-32700"), ("", b"-32700"), ("[]", b"-32600"), ('{"jsonrpc":"2.0","id":[]}', b"-32600"), ("\xff", b"-32700")]:
        client.out = b""
        client.send(text)
        await client.until(code)
        await client.until(b'"id":null')
    client.server.stdin.write(b"what is this\r\n\r\n")
    client.send('{"jsonrpc":"2.0","id":6,"method":"shutdown"}')
    await client.until(b'"id":6')
    assert await client.leave() == 0
