/**
 * Decodes a file that the user drops. OPML files of old readers come in many encodings: UTF-8 if the bytes are valid UTF-8, otherwise the
 * encoding that the file declares.
 */
export async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const wide = WIDE.find(({ first }) => first.every((byte, i) => bytes[i] === byte))
  if (wide) return new TextDecoder(wide.name).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decoderFor(new TextDecoder('latin1').decode(bytes.subarray(0, 200))).decode(bytes)
  }
}

const WIDE = [
  { name: 'utf-16le', first: [0xff, 0xfe] },
  { name: 'utf-16be', first: [0xfe, 0xff] },
  { name: 'utf-16le', first: [0x3c, 0] },
  { name: 'utf-16be', first: [0, 0x3c] },
]

function decoderFor(beginning: string): TextDecoder {
  const [, name = 'windows-1252'] = /^[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(beginning) ?? []
  try {
    return new TextDecoder(name)
  } catch {
    return new TextDecoder('windows-1252') // unknown encoding name
  }
}
