/** What is stored, in the forms in which people carry it elsewhere. */
import { plainText, writeOpml } from '../feeds/index.ts'
import type { Entry } from '../model/index.ts'
import type { Reading } from './wire.ts'

/** All feeds, in their folders. */
export async function opmlOf({ store }: Reading): Promise<string> {
  const feeds = []
  for await (const { feed } of store.everyFeed()) {
    const { url, title, siteUrl, folder } = feed
    feeds.push({ url, title, ...(siteUrl && { siteUrl }), ...(folder && { folder }) })
  }
  return writeOpml({ title: 'Feeds of Freshet', feeds })
}

/** What an entry says, without its markup. */
export function textOfEntry({ content, summary }: Entry): string {
  return plainText(content ?? summary ?? '')
}
