/**
 * How much a text looks like each of sixty languages. eld compares its pieces of four bytes with tables of a megabyte,
 * which take 30 MB once they are read: they are read when the first detector is asked for, and once only.
 */

/** From 0 to 1, by two-letter code; nothing for languages that it does not look like. */
export type Detector = (text: string) => Readonly<Record<string, number>>

let loading: Promise<Detector> | undefined

export function loadDetector(): Promise<Detector> {
  loading ??= import('eld/extrasmall').then(
    ({ eld }) =>
      (text) =>
        eld.detect(text).getScores(),
  )
  return loading
}

/** The languages that eld's tables tell apart; of any other it can only say what it resembles. */
export const DETECTED: ReadonlySet<string> = new Set(
  (
    'am ar az be bg bn ca cs da de el en es et eu fa fi fr gu he hi hr hu hy is it ja ka kn ko ku lo lt lv ml mr ms nl ' +
    'no or pa pl pt ro ru sk sl sq sr sv ta te th tl tr uk ur vi yo zh'
  ).split(' '),
)
