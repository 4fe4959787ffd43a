/**
 * Maps encoding names to decoders. TextDecoder knows the web's encodings and their aliases; this adds UTF-32 and a few names it
 * rejects.
 */

/** Undefined for unknown encodings. */
export function decodeAs(label: string, bytes: Uint8Array): { text: string; encoding: string } | undefined {
  const name = label.trim().toLowerCase()
  if (/^(?:utf[-_]?32|ucs[-_]?4)/.test(name)) {
    const littleEndian = name.endsWith('le') || (bytes[0] === 0x3c && bytes[1] === 0) || bytes[0] === 0xff
    return { text: decodeUtf32(bytes, littleEndian), encoding: littleEndian ? 'utf-32le' : 'utf-32be' }
  }
  const decoder = decoderOf(OTHER_NAMES.get(name) ?? name)
  return decoder && { text: decoder.decode(bytes), encoding: decoder.encoding }
}

export function decoderOf(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

export function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const units = new Uint16Array(bytes.byteLength >> 1)
  let length = 0
  for (let at = 0; at + 3 < bytes.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian)
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    if (isCharacter && code > 0xffff) {
      units[length++] = 0xd800 + ((code - 0x10000) >> 10)
      units[length++] = 0xdc00 + ((code - 0x10000) & 0x3ff)
    } else units[length++] = isCharacter ? code : 0xfffd
  }
  return new TextDecoder('utf-16le').decode(units.subarray(0, length))
}

/** Aliases of Python, Java and Windows. */
const OTHER_NAMES = new Map<string, string>(
  Object.entries({
    cp932: 'shift_jis',
    'windows-932': 'shift_jis',
    cp936: 'gbk',
    'windows-936': 'gbk',
    'gb-2312': 'gbk',
    gb_2312: 'gbk',
    cp949: 'euc-kr',
    'windows-949': 'euc-kr',
    cp950: 'big5',
    utf8mb4: 'utf-8',
    'unicode-1-1': 'utf-8',
    'iso8859-1': 'windows-1252',
    'iso-8859-1-windows-1252': 'windows-1252',
    cp874: 'windows-874',
    eucjp: 'euc-jp',
    euckr: 'euc-kr',
    'hz-gb-2312': 'gbk',
  }),
)
