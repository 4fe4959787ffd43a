/** The list of feeds, as people carry it elsewhere. */
import { writeOpml } from '../feeds/index.ts'
import { withCredentials } from '../model/index.ts'
import type { OpenStore } from './wire.ts'

/** All feeds, in their folders; with names and passwords only for whoever asks for them. */
export async function opmlOf({ catalogue }: OpenStore, withPasswords: boolean): Promise<string> {
  const feeds = []
  for await (const { feed } of catalogue.everyFeed()) {
    const { url, credentials, title, siteUrl, folder } = feed
    const written = credentials && withPasswords ? withCredentials(url, credentials) : url
    feeds.push({ url: written, title, ...(siteUrl && { siteUrl }), ...(folder && { folder }) })
  }
  return writeOpml({ title: 'Feeds of Freshet', feeds })
}
