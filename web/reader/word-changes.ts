/**
 * Computes which words differ between two texts: headlines or whole articles. Common beginnings and ends are cut off. Then words that occur
 * exactly once in both texts serve as anchors (patience diff): the longest sequence of them in the same order aligns the texts, and the
 * same is repeated between anchors. Short parts are compared by a table (longest common subsequence). Memory grows linearly with the texts.
 * Work is bounded; when the bound is reached, the rest counts as replaced. No word is lost, except those beyond the length limit, which are
 * not compared.
 */
export interface WordChange {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** Words per text. */
export const MOST_WORDS = 5000
/** Cells of the largest table. */
const LARGEST_TABLE = 40_000
/** Comparisons per word. */
const MOST_LOOKS = 40

interface Stretch {
  a: number
  aEnd: number
  b: number
  bEnd: number
  /** The texts are equal. */
  same?: true
}

export function wordChanges(before: string, after: string): WordChange[] {
  const a = wordsOf(before)
  const b = wordsOf(after)
  const diff = createDiff()
  let looks = MOST_LOOKS * (a.length + b.length)
  const open: Stretch[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length }]
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    if (stretch.same) {
      diff.add('same', a, stretch.a, stretch.aEnd)
      continue
    }
    const { before: begins, inner, after: ends } = trimmed(a, b, stretch)
    diff.add('same', a, begins.a, begins.aEnd)
    if (ends.a < ends.aEnd) open.push(ends)
    const [long, wide] = [inner.aEnd - inner.a, inner.bEnd - inner.b]
    looks -= long + wide
    if (long > 0 && wide > 0 && long * wide <= LARGEST_TABLE) {
      looks -= long
      compare(a, b, inner, diff)
      continue
    }
    const posts = long > 0 && wide > 0 && looks > 0 ? postsOf(a, b, inner) : []
    if (posts.length === 0) {
      diff.add('removed', a, inner.a, inner.aEnd)
      diff.add('added', b, inner.b, inner.bEnd)
      continue
    }
    open.push(...between(posts, inner).reverse())
  }
  return diff.changes
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
}

/** Common beginning and end, and what remains between them. */
function trimmed(a: string[], b: string[], { a: from, aEnd, b: bFrom, bEnd }: Stretch) {
  let begin = 0
  const most = Math.min(aEnd - from, bEnd - bFrom)
  while (begin < most && a[from + begin] === b[bFrom + begin]) begin++
  let end = 0
  while (end < most - begin && a[aEnd - 1 - end] === b[bEnd - 1 - end]) end++
  const same = true as const
  return {
    before: { a: from, aEnd: from + begin, b: bFrom, bEnd: bFrom + begin, same },
    inner: { a: from + begin, aEnd: aEnd - end, b: bFrom + begin, bEnd: bEnd - end },
    after: { a: aEnd - end, aEnd, b: bEnd - end, bEnd, same },
  }
}

interface Post {
  a: number
  b: number
}

/** Words that occur once in both texts: the longest sequence that is in the same order. */
function postsOf(a: string[], b: string[], { a: from, aEnd, b: bFrom, bEnd }: Stretch): Post[] {
  const inA = placesOnce(a, from, aEnd)
  const inB = placesOnce(b, bFrom, bEnd)
  const common: Post[] = []
  for (const [word, place] of inA) {
    const other = inB.get(word)
    if (place >= 0 && other !== undefined && other >= 0) common.push({ a: place, b: other })
  }
  return longestRow(common)
}

/** Positions by word; -1 if it occurs more than once. */
function placesOnce(words: string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>()
  for (let i = from; i < to; i++) places.set(words[i]!, places.has(words[i]!) ? -1 : i)
  return places
}

/** The pairs are in the order of `a`. Returns the longest subsequence in which `b` rises too (patience sorting). */
function longestRow(posts: Post[]): Post[] {
  const piles: number[] = []
  const below: number[] = []
  posts.forEach(({ b }, i) => {
    let [low, high] = [0, piles.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (posts[piles[middle]!]!.b < b) low = middle + 1
      else high = middle
    }
    below[i] = low > 0 ? piles[low - 1]! : -1
    piles[low] = i
  })
  const row: Post[] = []
  for (let i = piles.at(-1) ?? -1; i >= 0; i = below[i]!) row.push(posts[i]!)
  return row.reverse()
}

function between(posts: Post[], { a, aEnd, b, bEnd }: Stretch): Stretch[] {
  const stretches: Stretch[] = []
  let [atA, atB] = [a, b]
  for (const post of posts) {
    if (post.a > atA || post.b > atB) stretches.push({ a: atA, aEnd: post.a, b: atB, bEnd: post.b })
    stretches.push({ a: post.a, aEnd: post.a + 1, b: post.b, bEnd: post.b + 1, same: true })
    atA = post.a + 1
    atB = post.b + 1
  }
  if (aEnd > atA || bEnd > atB) stretches.push({ a: atA, aEnd, b: atB, bEnd })
  return stretches
}

/** Longest common subsequence, by a table of all pairs. */
function compare(a: string[], b: string[], { a: from, aEnd, b: bFrom, bEnd }: Stretch, diff: Diff): void {
  const [long, wide] = [aEnd - from, bEnd - bFrom]
  const longest = new Uint16Array((long + 1) * (wide + 1))
  const at = (i: number, j: number) => longest[i * (wide + 1) + j]!
  for (let i = long - 1; i >= 0; i--)
    for (let j = wide - 1; j >= 0; j--)
      longest[i * (wide + 1) + j] =
        a[from + i] === b[bFrom + j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  let [i, j] = [0, 0]
  while (i < long || j < wide) {
    if (i < long && j < wide && a[from + i] === b[bFrom + j]) {
      diff.add('same', a, from + i, from + ++i)
      j++
    } else if (j >= wide || (i < long && at(i + 1, j) >= at(i, j + 1))) diff.add('removed', a, from + i, from + ++i)
    else diff.add('added', b, bFrom + j, bFrom + ++j)
  }
}

type Diff = ReturnType<typeof createDiff>

/** Joins adjacent parts of one kind. Where words were both removed and added, removed ones come first. */
function createDiff() {
  const changes: WordChange[] = []
  return {
    changes,
    add(kind: WordChange['kind'], words: string[], from: number, to: number): void {
      if (from >= to) return
      const text = words.slice(from, to).join(' ')
      const last = changes.at(-1)
      const before = changes.at(-2)
      if (last?.kind === kind) last.text += ` ${text}`
      else if (kind === 'removed' && last?.kind === 'added' && before?.kind === 'removed') before.text += ` ${text}`
      else if (kind === 'removed' && last?.kind === 'added') changes.splice(-1, 0, { kind, text })
      else changes.push({ kind, text })
    },
  }
}
