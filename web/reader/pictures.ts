/** Addresses of pictures. Pictures are loaded through our server, which alone contacts publishers. */
import type { EntryShape } from '../../src/api/index.ts'

export function pictureOf({ id, picture }: Pick<EntryShape, 'id' | 'picture'>): string | undefined {
  return picture && `/api/v1/entries/${id}/picture`
}

export function pictureAt(entryId: number, url: string): string {
  return `/api/v1/entries/${entryId}/picture?url=${encodeURIComponent(url)}`
}
