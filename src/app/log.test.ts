import { describe, expect, it } from 'vitest'
import type { CrawlEvent } from '../crawl/index.ts'
import { type FeedId, HOUR } from '../model/index.ts'
import { StoreError } from '../ports/index.ts'
import { createLog, describeEvent, logEvent } from './log.ts'

const polled = (result: Extract<CrawlEvent, { kind: 'polled' }>['result']): CrawlEvent => ({
  kind: 'polled',
  at: 0,
  feedId: 1 as FeedId,
  title: 'Gazette',
  url: 'http://a.example/feed',
  tookMs: 5,
  bytes: 1500,
  result,
  dueAt: HOUR,
})

const FULL = new StoreError('no-access', 'it is full', 'Make room.')

describe('the log', () => {
  it.each([
    [
      'news',
      polled({ kind: 'read', fresh: 2, changed: 1, window: 20, gap: false }),
      'info',
      'Gazette: 2 new, 1 changed (1.5 kB); next in 1h',
    ],
    ['no news', polled({ kind: 'read', fresh: 0, changed: 0, window: 20, gap: false }), 'debug', /nothing new/],
    ['not modified', polled({ kind: 'not-modified', by: 'server' }), 'debug', /not modified/],
    ['a gap', polled({ kind: 'read', fresh: 20, changed: 0, window: 20, gap: true }), 'warn', /a gap.* may be missing/],
    [
      'a failure',
      polled({ kind: 'failed', failure: { kind: 'http', status: 503 } }),
      'warn',
      /503 \(service unavailable\)/,
    ],
    [
      'a host that rests',
      {
        kind: 'host-backing-off',
        at: 0,
        root: 'a.example',
        until: HOUR,
        failure: { kind: 'http', status: 429 },
      } as CrawlEvent,
      'warn',
      /backing off for 1h/,
    ],
    [
      'a mistake',
      { kind: 'internal-error', at: 0, error: new Error('oops'), doing: 'thinking' } as CrawlEvent,
      'error',
      /while thinking: .*oops/,
    ],
    [
      'a full store',
      { kind: 'store-unavailable', at: 0, error: FULL },
      'error',
      /^it is full; .*retrying .*Make room\.$/,
    ],
    [
      'a store that is full at the end, with no promise to try again',
      { kind: 'store-unavailable', at: 0, error: FULL, isLast: true },
      'error',
      'it is full; work in flight is due again when its leases expire. Make room.',
    ],
    [
      'a clock set back',
      { kind: 'clock-set', at: 0, byMs: -HOUR },
      'warn',
      'the clock was set back by 1h; intervals are kept',
    ],
  ] as [string, CrawlEvent, string, string | RegExp][])('describes %s', (_, event, level, message) => {
    expect(describeEvent(event)).toMatchObject({
      level,
      message: message instanceof RegExp ? expect.stringMatching(message) : message,
    })
  })

  it('writes nothing below its level, and one line per event without control characters', () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', format: 'text', now: () => 0, write: (line) => lines.push(line) })
    log.info('quiet')
    log.warn('a title\u001b[2Jwith\ttricks\n00:00:01 all is well\u202e')
    expect(lines).toEqual(['00:00:00 warn: a title [2Jwith tricks 00:00:01 all is well'])
  })

  it('logs the stack of an internal error on indented lines', () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', format: 'text', now: () => 0, write: (line) => lines.push(line) })
    const error = new Error('oops\n00:00:01 all is well\u001b[2J')
    logEvent(log, { kind: 'internal-error', at: 0, error, doing: 'thinking' })
    expect(lines[0]).toBe('00:00:00 error: internal error while thinking: oops 00:00:01 all is well [2J')
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.slice(1).every((line) => line.startsWith('  '))).toBe(true)
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f]/)
  })

  it('removes passwords from addresses in internal errors', () => {
    const lines: string[] = []
    const log = createLog({ level: 'debug', format: 'json', now: () => 0, write: (line) => lines.push(line) })
    const error = new Error('no such column in http://me:secret@a.example/feed')
    logEvent(log, {
      kind: 'internal-error',
      at: 0,
      error,
      doing: 'applying what came of http://me:secret@a.example/feed',
    })
    expect(lines).toHaveLength(1)
    expect(lines.join('')).not.toContain('secret')
  })
})
