/** Addresses of pictures. Pictures are loaded through our server, which alone contacts publishers. */
import type { EntryShape } from '../../src/api/index.ts'

/** `small` for rows of lists. */
export function pictureOf(
  { id, picture }: Pick<EntryShape, 'id' | 'picture'>,
  size: 'small' | 'full' = 'full',
): string | undefined {
  return picture && `/api/v1/entries/${id}/picture${size === 'small' ? '?size=small' : ''}`
}

export const iconPath = (feedId: number): string => `/api/v1/feeds/${feedId}/icon`

export function pictureAt(entryId: number, url: string): string {
  return `/api/v1/entries/${entryId}/picture?url=${encodeURIComponent(url)}`
}
