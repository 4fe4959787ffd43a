import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fetchingIn } from './fetching-flags.ts'

test.each([
  [{}, undefined],
  [{ fetching: true }, undefined],
  [{ fetching: false, cookies: 'a=1' }, null],
  [
    { userAgent: 'Reader/2', bridge: '' },
    { userAgent: 'Reader/2', bridge: null },
  ],
  [{ header: ['X-Key: a:b ', 'x-old:', 'X-Gone'] }, { headers: { 'X-Key': 'a:b', 'x-old': null, 'X-Gone': null } }],
  [{ cookies: '' }, { cookies: null }],
  [
    { acceptInvalidCertificate: false, ignoreValidators: true },
    { acceptsInvalidCertificate: false, ignoresValidators: true },
  ],
  [
    { rewrite: ['title/^Ad: //', 'link|/amp/|/|'] },
    {
      rewrites: [
        { part: 'title', find: '^Ad: ', replace: '' },
        { part: 'link', find: '/amp/', replace: '/' },
      ],
    },
  ],
  [{ rewrite: [''] }, { rewrites: [] }],
])('%j', (flags, change) => {
  expect(fetchingIn(flags)).toEqual(change)
})

test.each(['title', 'title/a/b', 'text/a/b/', 'link//b/', 'title/a/b/c/'])('rejects the rule %s', (rule) => {
  expect(() => fetchingIn({ rewrite: [rule] })).toThrow('--rewrite cannot be')
})

test('reads secrets from files', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'freshet-flags-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'c'), 'a=1; b=2\n')
  expect(fetchingIn({ cookies: `@${join(folder, 'c')}` })).toEqual({ cookies: 'a=1; b=2' })
  expect(() => fetchingIn({ header: ['@/nowhere/at/all'] })).toThrow('could not read /nowhere/at/all')
})
