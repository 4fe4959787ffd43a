/** Backfill from the archive of a feed. */
import { expect, it } from 'vitest'
import { createRecorderHarness } from '../../../test/recorder-harness.ts'
import { address } from '../../model/address.fixture.ts'
import type { Outcome } from '../../model/index.ts'
import { addFeed, draft, record, START } from '../../ports/store-samples.contract.ts'
import { createMemoryStore } from '../../stores/index.ts'

it('removes the title prefix of a feed in archive documents, too', async () => {
  const store = createMemoryStore()
  const followUp = {
    kind: 'backfill',
    url: address('https://a.example/feed?page=2'),
    left: 1,
    resumeAt: START,
  } as const
  const feedId = await addFeed(store, 'a', { titlePrefix: 'The Gazette:', followUp })
  await store.recordPolls([record(feedId, START)])
  const entries = [draft('x', { title: 'The Gazette: The river rose' })]
  const older: Outcome = {
    task: { kind: 'poll', feedId, url: followUp.url, validators: {}, subscribers: 1, older: true, gapMs: 0 },
    at: START + 1,
    tookMs: 1,
    bytes: 1,
    result: {
      kind: 'window',
      reading: { facts: { format: 'rss' }, entries, validators: {}, bodyHash: '', windowHash: '', restMs: 0 },
    },
  }
  const { recorder } = createRecorderHarness(store, START + 1)
  await recorder.record([older], new Set())
  expect((await store.entries({ feedId, limit: 9 })).map(({ title }) => title)).toEqual(['The river rose'])
})
