import { expect, it } from 'vitest'
import { address } from '../../model/address.fixture.ts'
import type { FeedFacts } from '../../model/index.ts'
import { addHub } from '../index.ts'

const url = address('https://a.example/news/feed')
const facts: FeedFacts = { format: 'atom' }
const both: FeedFacts = { ...facts, hub: address('https://doc.example/'), selfUrl: address('https://a.example/self') }

it.each([
  ['no hub anywhere', facts, undefined, {}],
  ['a self without a hub', { ...facts, selfUrl: address('https://a.example/self') }, '<x>; rel=self', {}],
  ['the document', both, undefined, { hub: 'https://doc.example/', selfUrl: 'https://a.example/self' }],
  [
    'the header before the document',
    both,
    '<https://head.example/>; rel="hub", <self>; rel="self"',
    { hub: 'https://head.example/', selfUrl: 'https://a.example/news/self' },
  ],
  [
    'the header for one, the document for the other',
    both,
    '<//head.example/hub>; rel="HUB preload"',
    { hub: 'https://head.example/hub', selfUrl: 'https://a.example/self' },
  ],
  [
    'its own address, without a self link',
    { ...facts, hub: address('https://doc.example/') },
    undefined,
    { hub: both.hub, selfUrl: url },
  ],
  ['an address that is not http(s)', facts, '<javascript:alert(1)>; rel=hub, <file:///etc/passwd>; rel="hub"', {}],
  [
    'an invalid one before a valid one',
    facts,
    '<http://[hub>; rel=hub, </hub>; rel="hub"',
    { hub: 'https://a.example/hub', selfUrl: url },
  ],
  ['an invalid header', facts, 'hub hub; rel=<hub>', {}],
])('%s', (_, facts, header, expected) => {
  const { hub, selfUrl } = addHub(facts, url, header)
  if ('hub' in expected) expect({ hub, selfUrl }).toEqual(expected)
  else expect(hub).toBeUndefined()
})
