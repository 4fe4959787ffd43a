import { expect, test } from 'vitest'
import { parseListedSources } from './listed-sources.ts'

const parse = (table: object) =>
  parseListedSources([{ url: 'https://news.example/', ...table }], 'freshet.toml')[0]!.about

test('settings for fetching are read', () => {
  expect(
    parse({
      'user-agent': 'Reader/2',
      proxy: 'http://proxy.example:81/',
      bridge: 'https://bridge.example/?url={url}',
      'accept-invalid-certificate': true,
      'ignore-validators': false,
      content: '.text',
    }),
  ).toEqual({
    fetching: {
      userAgent: 'Reader/2',
      proxy: 'http://proxy.example:81',
      bridge: 'https://bridge.example/?url={url}',
      acceptsInvalidCertificate: true,
      extraction: { content: '.text' },
      byAdmin: true,
    },
  })
  expect(parse({})).toEqual({})
})

test.each([
  [{ 'user-agent': 'a\nb' }, 'characters'],
  [{ proxy: 'http://ann:secret@proxy.example' }, 'contains a password'],
  [{ proxy: 'socks5://proxy.example' }, 'not the address of a proxy'],
  [{ bridge: 'https://bridge.example/' }, 'contains {url}'],
  [{ content: 'p:hover' }, 'cannot be used here'],
  [{ content: 7 }, 'must be a text'],
  [{ 'ignore-validators': 'yes' }, 'must be true or false'],
  [{ cookies: 'a=1' }, 'unknown key "cookies"'],
])('%j is rejected', (table, reason) => {
  expect(() => parse(table)).toThrow(reason)
})
