/** How much a text says: its characters, runs of spaces counted once, denser scripts counted for more. */
export function sizeOf(text: string): number {
  let size = 0
  let spaceBefore = true
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code <= 32 || code === 0xa0) {
      if (!spaceBefore) size++
      spaceBefore = true
      continue
    }
    spaceBefore = false
    size += code < 0x0e00 ? 1 : isDense(code) ? 2.8 : 1
  }
  return spaceBefore && size > 0 ? size - 1 : size
}

/** Thai and Lao, Burmese, Kana, Han, Hangul: a character of these says as much as three letters. */
function isDense(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7af) ||
    code <= 0x0eff ||
    (code >= 0x1000 && code <= 0x109f)
  )
}
