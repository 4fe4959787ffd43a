/** Sites that compress responses: as bombs, incorrectly, or mislabelled. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { alwaysReply, feed, type HostileSite, reply, replyInTurn } from './site.ts'

const UNFOLDED = 24 * 2 ** 20

export const PACKED_SITES: HostileSite[] = [
  bomb('gzip', 'gzip', () => gzipSync(Buffer.alloc(UNFOLDED))),
  bomb('deflate', 'deflate', () => deflateSync(Buffer.alloc(UNFOLDED))),
  bomb('brotli', 'br', () => brotli(Buffer.alloc(UNFOLDED))),
  bomb('zstd', 'zstd', () => zstdCompressSync(Buffer.alloc(UNFOLDED))),
  bomb('double', 'gzip, gzip', () => gzipSync(gzipSync(Buffer.alloc(UNFOLDED)))),
  bomb('mixed', 'br, zstd, gzip', () => gzipSync(zstdCompressSync(brotli(Buffer.alloc(UNFOLDED))))),
  bomb('members', 'gzip', () => {
    const megabyte = gzipSync(Buffer.alloc(2 ** 20))
    return Buffer.concat(Array.from({ length: 1000 }, () => megabyte))
  }),
  {
    name: 'layers',
    behavior: 'packs its feed four times over',
    expect: 'is given up: no legitimate server does that',
    script: packed('gzip, gzip, gzip, gzip', () => gzipSync(gzipSync(gzipSync(gzipSync(feed(3)))))),
    polls: ['broken-body'],
  },
  {
    name: 'zstd-window',
    behavior: 'asks for a window of 128 MB to unpack a small feed',
    expect: 'is refused that much memory (RFC 9659)',
    script: packed('zstd', () => zstdFrame(feed(3), 27)),
    polls: ['broken-body'],
  },
  ...(
    [
      ['gzip', () => gzipSync(feed(300))],
      ['deflate', () => deflateSync(feed(300))],
      ['br', () => brotli(Buffer.from(feed(300)))],
      ['zstd', () => zstdCompressSync(feed(300))],
    ] as const
  ).map(
    ([coding, pack]): HostileSite => ({
      name: `cut-${coding}`,
      behavior: `sends a good feed, then ${coding} that is cut in half, with the length of that half and a new ETag`,
      expect: 'clears nothing and remembers no validator of the broken answer',
      script: replyInTurn(
        alwaysReply(() => reply(200, feed(3), { etag: '"good"' })),
        alwaysReply(() => {
          const half = pack().subarray(0, pack().length >> 1)
          return reply(200, half, { 'content-encoding': coding, etag: '"broken"' })
        }),
        ({ headers }) => reply(headers['if-none-match'] === '"good"' ? 304 : 500),
      ),
      polls: ['read 3', 'broken-body', 'unchanged by server'],
      after: { entries: 3, etag: '"good"' },
    }),
  ),
  lie('plain-as-gzip', 'sends plain text as gzip', 'gzip', () => feed(3), 'read 3'),
  lie('plain-as-br', 'sends plain text as brotli', 'br', () => feed(3), 'broken-body'),
  lie('gzip-as-br', 'sends gzip as brotli', 'br', () => gzipSync(feed(3)), 'read 3'),
  lie('gzip-as-plain', 'sends gzip without declaring it', undefined, () => gzipSync(feed(3)), 'read 3'),
  lie(
    'bad-checksum',
    'sends gzip with a wrong checksum',
    'gzip',
    () => withoutChecksum(gzipSync(feed(3))),
    'broken-body',
  ),
  lie(
    'gzip-and-more',
    'sends text after its gzip',
    'gzip',
    () => Buffer.concat([gzipSync(feed(3)), Buffer.from('bye')]),
    'broken-body',
  ),
  lie(
    'raw-deflate',
    'sends deflate without its wrapping, as many do',
    'deflate',
    () => deflateRawSync(feed(3)),
    'read 3',
  ),
  lie('strange-coding', 'says "utf-8" where the coding stands', 'utf-8', () => feed(3), 'read 3'),
  lie('empty-gzip', 'sends nothing, as gzip', 'gzip', () => '', 'not-a-feed'),
]

function bomb(name: string, coding: string, make: () => Uint8Array): HostileSite {
  return {
    name: `bomb-${name}`,
    behavior: `sends little that unfolds into much (${coding})`,
    expect: 'is given up when it has unfolded to the limit',
    script: packed(coding, make),
    polls: ['too-large'],
  }
}

function lie(
  name: string,
  behavior: string,
  coding: string | undefined,
  make: () => string | Uint8Array,
  poll: 'read 3' | 'broken-body' | 'not-a-feed',
): HostileSite {
  const expect = poll === 'read 3' ? 'is read all the same' : 'is no feed, and not a mistake of ours'
  return { name, behavior, expect, script: packed(coding, make), polls: [poll] }
}

function packed(coding: string | undefined, make: () => string | Uint8Array) {
  return alwaysReply(() => reply(200, make(), { 'content-encoding': coding }))
}

function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
}

/** RFC 8878: magic number, descriptor, window, and one raw block that is the last. */
function zstdFrame(text: string, windowLog: number): Buffer {
  const block = (text.length << 3) | 1
  const head = [0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3, block & 0xff, (block >> 8) & 0xff, block >> 16]
  return Buffer.concat([Buffer.from(head), Buffer.from(text)])
}

function withoutChecksum(gzip: Buffer): Buffer {
  return gzip.fill(0, gzip.length - 8, gzip.length - 4)
}
