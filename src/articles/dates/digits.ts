/** Converts digits of other scripts to ASCII. */

export function westernDigits(text: string): string {
  return /[^\0-\u024f]/.test(text) ? text.replace(/\p{Nd}/gu, westernDigit) : text
}

/** In every script the ten digits are consecutive, so the character below the run of digits marks zero. */
function westernDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  if (code < 0x80) return digit
  const zero = ZEROS.findLast((start) => start <= code)
  return zero !== undefined && code - zero < 10 ? String(code - zero) : digit
}

/** Arabic, Persian, Devanagari, Bengali, Gurmukhi, Gujarati, Tamil, Telugu, Kannada, Malayalam, Thai, Lao, Burmese, Khmer, wide. */
const ZEROS = [
  0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0, 0xff10,
]
