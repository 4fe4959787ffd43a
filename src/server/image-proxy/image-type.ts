/**
 * Detects the type of a picture by its first bytes; the Content-Type header is not trusted. SVG is not supported: it can contain scripts
 * and load other resources.
 */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/avif' | 'image/x-icon'

const SIGNATURES: readonly [ImageType, RegExp][] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/avif', /^.{4}ftypavi[fs]/s],
  ['image/x-icon', /^\0\0\x01\0.\0/s],
]

export function imageType(body: Uint8Array): ImageType | undefined {
  const start = String.fromCharCode(...body.subarray(0, 16))
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0]
}
