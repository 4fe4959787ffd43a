/**
 * What kind of picture some bytes are, by how they begin; what a server says of them is not asked. SVG is none of them: it is a
 * document that can hold scripts and ask for more.
 */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/x-icon'

const BEGINNINGS: readonly [PictureType, RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/avif', /^.{4}ftypavi[fs]/s],
  ['image/x-icon', /^\0\0\x01\0.\0/s],
]

export function pictureType(body: Uint8Array): PictureType | undefined {
  const begin = String.fromCharCode(...body.subarray(0, 16))
  return BEGINNINGS.find(([, pattern]) => pattern.test(begin))?.[0]
}
