# SPDX-License-Identifier: MIT
"""proxy.py PORT [--listen PORT] [--delay SECONDS] [--cut CHANCE]: a bad network before a server on PORT of this machine. What comes through,
in either direction, is late, or is lost together with the connection. Prints the port that it listens on."""
import argparse
import asyncio
import random


async def forward(reader, writer, options, other):
    """Sends on in order, each piece so late; cutting loses what is under way."""
    queue = asyncio.Queue()

    async def deliver():
        while True:
            due, data = await queue.get()
            await asyncio.sleep(max(0, due - asyncio.get_running_loop().time()))
            if not data or random.random() < options.cut:
                break
            writer.write(data)
            await writer.drain()
        writer.close()
        other.close()

    task = asyncio.create_task(deliver())
    try:
        while data := await reader.read(1 << 16):
            queue.put_nowait((asyncio.get_running_loop().time() + options.delay, data))
        queue.put_nowait((0, b""))
        await task
    except OSError:
        task.cancel()
        writer.close()
        other.close()


async def serve(options):
    async def accept(reader, writer):
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", options.port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(forward(reader, up_writer, options, writer), forward(up_reader, writer, options, up_writer),
                             return_exceptions=True)

    server = await asyncio.start_server(accept, "127.0.0.1", options.listen)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--listen", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--cut", type=float, default=0)
    asyncio.run(serve(parser.parse_args()))


main()
