/** Sites with broken, unusual or outdated HTTP, and connections that end prematurely. */
import { feed, type HostileSite, reply, replyInTurn, type Script } from './site.ts'

const BODY = feed(3)
const LENGTH = `content-length: ${BODY.length}\r\n`

/** Common violations that can be read. */
const READABLE: [name: string, behavior: string, bytes: string][] = [
  ['http-1-0', 'speaks HTTP/1.0, without a length', `HTTP/1.0 200 OK\r\n\r\n${BODY}`],
  ['bare-lines', 'ends its lines without carriage returns', `HTTP/1.1 200 OK\n${LENGTH.replace('\r', '')}\n${BODY}`],
  ['no-reason', 'gives no reason with its status', `HTTP/1.1 200\r\n${LENGTH}\r\n${BODY}`],
  ['folded-header', 'folds a header over two lines', `HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\n${LENGTH}\r\n${BODY}`],
  ['control-bytes', 'has control characters in a header', `HTTP/1.1 200 OK\r\nx: a\x01\x7fb\r\n${LENGTH}\r\n${BODY}`],
  ['latin-bytes', 'has bytes beyond ASCII in a header', `HTTP/1.1 200 \xe9\r\nx: \xff\xfe\r\n${LENGTH}\r\n${BODY}`],
  [
    'odd-names',
    'has headers with odd names',
    `HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\n${LENGTH}\r\n${BODY}`,
  ],
  ['shouting', 'writes its headers in capitals', `HTTP/1.1 200 OK\r\n${LENGTH.toUpperCase()}\r\n${BODY}`],
  ['hints-first', 'sends hints before its answer', `HTTP/1.1 103 x\r\nlink: <a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n${BODY}`],
  [
    'more-than-said',
    'sends more than it has announced',
    `HTTP/1.1 200 OK\r\nconnection: close\r\n${LENGTH}\r\n${BODY}<rss>`,
  ],
  ['length-and-chunks', 'gives a length beside its chunks', `HTTP/1.1 200 OK\r\ncontent-length: 7\r\n${chunked(BODY)}`],
  [
    'chunk-remarks',
    'has a remark and a trailer with its chunks',
    `HTTP/1.1 200 OK\r\n${chunked(BODY, ';a=b', 'x: y\r\n')}`,
  ],
  [
    'cookies',
    'sets a thousand cookies',
    `HTTP/1.1 200 OK\r\n${'set-cookie: id=1\r\n'.repeat(1000)}${LENGTH}\r\n${BODY}`,
  ],
]

/** Violations that cannot be read. */
const BROKEN: [name: string, behavior: string, bytes: string][] = [
  ['not-http', 'speaks SMTP', '220 mail.example ESMTP\r\n'],
  ['http-0-9', 'speaks HTTP/0.9, a body without a head', BODY],
  ['upgrade', 'wants to speak something else', 'HTTP/1.1 101 x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ['two-lengths', 'has two lengths that differ', `HTTP/1.1 200 OK\r\ncontent-length: 2\r\n${LENGTH}\r\n${BODY}`],
  ['negative-length', 'has a length below zero', `HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n${BODY}`],
  ['wordy-length', 'has a length in words', `HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n${BODY}`],
  [
    'chunk-of-nothing',
    'has a chunk without a length',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\r\n${BODY}`,
  ],
  [
    'chunk-of-words',
    'has a chunk whose length is no number',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n${BODY}`,
  ],
  [
    'chunk-too-long',
    'has a chunk of 16 EiB',
    `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n${BODY}`,
  ],
  ['no-last-chunk', 'ends without its last chunk', chunked(BODY).replace(/^/, 'HTTP/1.1 200 OK\r\n').slice(0, -5)],
  ['nul-in-head', 'has a NUL in the name of a header', `HTTP/1.1 200 OK\r\nx\0y: z\r\n${LENGTH}\r\n${BODY}`],
]

export const WIRE_SITES: HostileSite[] = [
  ...READABLE.map(([name, behavior, bytes]) => ({
    name,
    behavior,
    expect: 'is read all the same',
    script: () => Buffer.from(bytes, 'latin1'),
    polls: ['read 3'],
  })),
  ...BROKEN.map(([name, behavior, bytes]) => ({
    name,
    behavior,
    expect: 'is given up, and not a mistake of ours',
    script: () => Buffer.from(bytes, 'latin1'),
    polls: ['broken-body'],
  })),
  ...[204, 206, 299, 304, 418, 451, 500, 520, 599, 999].map((status) => ({
    name: `status-${status}`,
    behavior: `answers ${status} to unconditional requests`,
    expect: 'is told as it is, and is no feed, whatever it says',
    script: () => reply(status, status === 204 || status === 304 ? '' : BODY),
    polls: [`http ${status}`, `http ${status}`],
    after: { entries: 0 },
  })),
  shortAfterGood('short', 'breaks off before its announced end', ({ socket }) => {
    socket.end(reply(200, feed(3, { title: 'Cut' }), { etag: '"broken"' }).subarray(0, -50))
    return undefined
  }),
  shortAfterGood('cut-chunk', 'breaks off within a chunk', ({ socket }) => {
    socket.end(`HTTP/1.1 200 OK\r\netag: "broken"\r\n${chunked(feed(3, { title: 'Cut' })).slice(0, -50)}`)
    return undefined
  }),
  shortAfterGood('reset-in-body', 'throws the connection away within the body', ({ socket }) => {
    const half = reply(200, feed(300), { etag: '"broken"' }).subarray(0, 2000)
    socket.write(half, () => setTimeout(() => socket.resetAndDestroy(), 20))
    return undefined
  }),
  {
    name: 'reset',
    behavior: 'throws the connection away without an answer',
    expect: 'counts as out of reach and is asked only once',
    script: ({ socket }) => void socket.resetAndDestroy(),
    polls: ['unreachable', 'unreachable'],
    after: { requests: 2 },
  },
  {
    name: 'reset-in-head',
    behavior: 'throws the connection away within the head',
    expect: 'counts as out of reach',
    script: ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\netag: "a', () => setTimeout(() => socket.resetAndDestroy(), 20))
      return undefined
    },
    polls: ['unreachable'],
  },
  {
    name: 'hangs-up',
    behavior: 'closes the connection without an answer',
    expect: 'counts as out of reach and is asked only once',
    script: ({ socket }) => void socket.end(),
    polls: ['unreachable'],
    after: { requests: 1 },
  },
  {
    name: 'empty',
    behavior: 'answers 200 and sends nothing, after a good feed',
    expect: 'is no feed and clears nothing',
    script: replyInTurn(
      () => reply(200, BODY, { etag: '"good"' }),
      () => reply(200, '', { etag: '"empty"' }),
    ),
    polls: ['read 3', 'not-a-feed'],
    after: { entries: 3, etag: '"good"' },
  },
]

/** A valid feed first, then the broken one; afterwards it expects the validators of the valid one. */
function shortAfterGood(name: string, behavior: string, broken: Script): HostileSite {
  return {
    name,
    behavior: `sends a good feed, then one that ${behavior}, with a new ETag`,
    expect: 'clears nothing and remembers no validator of the broken answer',
    script: replyInTurn(
      () => reply(200, BODY, { etag: '"good"' }),
      broken,
      ({ headers }) => reply(headers['if-none-match'] === '"good"' ? 304 : 500),
    ),
    polls: ['read 3', 'broken-body', 'unchanged by server'],
    after: { entries: 3, etag: '"good"' },
  }
}

function chunked(body: string, remark = '', trailer = ''): string {
  const length = body.length.toString(16)
  return `transfer-encoding: chunked\r\n\r\n${length}${remark}\r\n${body}\r\n0\r\n${trailer}\r\n`
}
