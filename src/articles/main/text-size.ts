/** The length of a text in characters; a character of a dense script counts almost three. */
export function textSize(text: string): number {
  const dense = DENSE.test(text) ? (text.match(ALL_DENSE)?.length ?? 0) : 0
  return text.length + 1.8 * dense
}

/** Thai and Lao, Burmese, Kana, Han, Hangul. */
const DENSE = /[\u0e00-\u0eff\u1000-\u109f\u3040-\u9fff\uac00-\ud7af]/
const ALL_DENSE = new RegExp(DENSE, 'g')
