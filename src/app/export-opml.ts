/** The list of feeds, as people carry it elsewhere. */
import { isSealed } from '../drivers/index.ts'
import { writeOpml } from '../feeds/index.ts'
import { HintedError, withCredentials } from '../model/index.ts'
import type { OpenStore } from './wire.ts'

/** All feeds, in their folders; with names and passwords only for whoever asks for them. */
export async function opmlOf({ catalogue }: OpenStore, withPasswords: boolean): Promise<string> {
  const feeds = []
  for await (const { feed } of catalogue.everyFeed()) {
    const { url, credentials, title, siteUrl, folder } = feed
    if (credentials && withPasswords && isSealed(credentials.password))
      throw new HintedError(
        'the passwords are encrypted, and the key file cannot be read',
        'run it as the owner of the store',
      )
    const written = credentials && withPasswords ? withCredentials(url, credentials) : url
    feeds.push({ url: written, title, ...(siteUrl && { siteUrl }), ...(folder && { folder }) })
  }
  return writeOpml({ title: 'Feeds of Freshet', feeds })
}
