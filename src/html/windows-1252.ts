/** The windows-1252 characters 128 to 159, which are unused controls in Latin-1; undefined for five of them. */
export function windows1252Character(code: number): string | undefined {
  const character = CHARACTERS[code - 128]
  return character === '\0' ? undefined : character
}

const CHARACTERS =
  '\u20ac\0\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\0\u017d\0' +
  '\0\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\0\u017e\u0178'
