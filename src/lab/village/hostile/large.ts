/** Sites that send too much: in the body, the headers, or the framing of the body. */
import { feed, type HostileSite, reply, type Script, sendEndlessly } from './site.ts'

export const LARGE_SITES: HostileSite[] = [
  large('endless-body', 'never stops', pouring('HTTP/1.1 200 OK\r\n\r\n', feed(200))),
  large('announces-200mb', 'announces 200 MB and begins to send them', ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 209715200\r\n\r\n')
    sendEndlessly(socket, 'x'.repeat(65_536))
    return undefined
  }),
  large('chunks-200mb', 'sends 200 MB and more in chunks', pouring(chunkedHead(), chunk('x'.repeat(65_536)))),
  large('crumbs', 'sends its body in chunks of one byte', pouring(chunkedHead(), chunk('<').repeat(10_000))),
  large('endless-status', 'has a status line without end', pouring('HTTP/1.1 200 ', 'OK'.repeat(10_000))),
  large('endless-headers', 'has headers without end', pouring('HTTP/1.1 200 OK\r\n', 'x: y\r\n'.repeat(5000))),
  large('one-mb-header', 'has a header of 1 MB', () => reply(200, feed(3), { 'x-long': 'y'.repeat(2 ** 20) })),
  large('long-etag', 'has an ETag of 100 KB', () => reply(200, feed(3), { etag: `"${'e'.repeat(100_000)}"` })),
  large('long-location', 'redirects to an address of 1 MB', () =>
    reply(302, '', { location: `/${'a'.repeat(2 ** 20)}` }),
  ),
  {
    name: 'chunk-extensions',
    behavior: 'has a chunk whose length comes with remarks without end',
    expect: 'is given up as no HTTP',
    script: pouring(`${chunkedHead()}5;`, 'a=b;'.repeat(5000)),
    polls: ['broken-body'],
  },
  {
    name: 'endless-trailers',
    behavior: 'has headers without end, after the body',
    expect: 'is given up as no HTTP',
    script: pouring(`${chunkedHead()}${chunk(feed(3))}0\r\n`, 'x: y\r\n'.repeat(5000)),
    polls: ['broken-body'],
  },
  {
    name: 'many-headers',
    behavior: 'has 3,000 short headers',
    expect: 'is read: odd, but within the limits',
    script: () => reply(200, feed(3), Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`x${i}`, 'y']))),
    polls: ['read 3'],
  },
]

function large(name: string, behavior: string, script: Script): HostileSite {
  return { name, behavior, expect: 'is given up at the first byte too many', script, polls: ['too-large'] }
}

function pouring(start: string, again: string): Script {
  return ({ socket }) => {
    socket.write(start)
    sendEndlessly(socket, Buffer.from(again))
    return undefined
  }
}

function chunkedHead(): string {
  return 'HTTP/1.1 200 OK\r\ncontent-type: application/rss+xml\r\ntransfer-encoding: chunked\r\n\r\n'
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}
