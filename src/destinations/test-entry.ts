/** What a test sends. */
import type { EntryDetailsShape } from '../api/index.ts'

export const TEST_ENTRY: EntryDetailsShape = {
  id: 0,
  feedId: 0,
  feedTitle: 'Freshet',
  title: 'Test from Freshet',
  url: 'https://example.org/freshet-test',
  text: 'This is a test of a destination.',
  content: '<p>This is a test of a destination.</p>',
  language: 'en',
  category: 'uncategorized',
  seenAt: '2026-01-01T00:00:00.000Z',
  listedAt: '2026-01-01T00:00:00.000Z',
  listedBy: 'seen',
  simhash: '0000000000000000',
}
