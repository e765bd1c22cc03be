"""Coroutines run in one go where they are awaited: nothing that is modelled waits for the world outside."""

from _jitlens.python import awaited, unknown


def run(main, *, debug=None):
    return awaited(main)


async def sleep(delay, result=None):
    return result


async def wait_for(fut, timeout):
    return await fut


async def shield(arg):
    return await arg


async def gather(*coros_or_futures, return_exceptions=False):
    results = []
    for one in coros_or_futures:
        if return_exceptions:
            try:
                results.append(await one)
            except Exception as error:
                results.append(error)
        else:
            results.append(await one)
    return results


async def to_thread(func, /, *args, **kwargs):
    return func(*args, **kwargs)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return unknown("", f"`asyncio.{name}` is not modelled")
