/** The display name of a list. */
import { textFor, words } from '../words.ts'
import type { EntryList } from './entry-list.svelte.ts'
import { subscriptions } from './subscriptions.svelte.ts'

export function listName({ spec: { kind, value }, items }: EntryList): string {
  switch (kind) {
    case 'feed':
      return subscriptions.feed(Number(value))?.title || items[0]?.feedTitle || words.lists.feed
    case 'folder':
    case 'label':
      return value
    case 'category':
      return textFor(words.categories, value) ?? value
    case 'search':
      return words.lists.search
    default:
      return words.lists[kind]
  }
}
