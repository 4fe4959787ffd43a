/** Sites that keep a client waiting. Only a limit on the total time helps. */
import { gzipSync } from 'node:zlib'
import { feed, type HostileSite, reply, type Script, sendSlowly } from './site.ts'

const SLOW_HOP_MS = 15_000 // each hop is in time, and five of them take twice the total time limit

export const SLOW_SITES: HostileSite[] = [
  slow('silence', 'takes the request and says nothing', () => undefined),
  slow('slow-headers', 'has always one more header', ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    sendSlowly(socket, 'x-patience: please\r\n')
    return undefined
  }),
  slow('slow-body', 'sends its feed a byte at a time', ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/rss+xml\r\n\r\n')
    sendSlowly(socket, '<')
    return undefined
  }),
  slow('slow-packed', 'packs its feed and sends it a byte at a time', ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n')
    sendSlowly(socket, ...bytesOf(gzipSync(feed(1000)).subarray(0, 4000)))
    return undefined
  }),
  slow('stalls', 'stops in the middle and keeps the connection', ({ socket }) => {
    socket.write(reply(200, feed(3)).subarray(0, 200))
    return undefined
  }),
  slow('promises', 'sends hints that an answer will come, and nothing else', ({ socket }) => {
    sendSlowly(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n')
    return undefined
  }),
  slow('slow-redirects', 'has one more redirect, after a while', ({ path, socket }) => {
    setTimeout(() => socket.end(reply(302, '', { location: `${path}x` })), path === '/feed' ? 0 : SLOW_HOP_MS)
    return undefined
  }),
]

function bytesOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte))
}

function slow(name: string, behavior: string, script: Script): HostileSite {
  return { name, behavior, expect: 'is given up when its time is over', script, polls: ['timeout'], isSlow: true }
}
