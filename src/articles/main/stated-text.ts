/**
 * Uses the text that some pages state in metadata (schema.org's articleBody): the blocks that it contains are the article's.
 * The blocks are better than the statement, which has lost its paragraphs, links and often its end; if the page does not
 * show the text, the statement is used.
 */

import { normalizeLetters } from '../page/characters.ts'
import type { Block } from './blocks.ts'

export type StatedTextMatch = { kind: 'blocks'; blocks: Block[] } | { kind: 'statement' } | { kind: 'silent' }

const MIN_STATEMENT_CHARS = 250
const MAX_STATEMENT_CHARS = 300_000

/** `chosen`: the blocks found without the statement; `all`: all blocks of the page. */
export function matchStatedText(
  statement: string,
  chosen: readonly Block[],
  allBlocks: readonly Block[],
): StatedTextMatch {
  if (statement.length < MIN_STATEMENT_CHARS) return { kind: 'silent' }
  const stated = normalizeLetters(statement.slice(0, MAX_STATEMENT_CHARS))
  const found = chosen.reduce((sum, { text }) => sum + normalizeLetters(text).length, 0)
  if (stated.length < MIN_STATEMENT_CHARS || (stated.length < 0.55 * found && found >= MIN_STATEMENT_CHARS))
    return { kind: 'silent' }
  const windows = new Set(windowsOf(stated))
  const confirmed = new Set<Block>()
  let covered = 0
  for (const block of allBlocks) {
    const letters = normalizeLetters(block.text)
    if (letters.length < WINDOW || shareIn(windows, letters) < 0.8) continue
    confirmed.add(block)
    covered += letters.length
  }
  const coverBlocks = covered / stated.length
  if (coverBlocks < 0.85 || coverBlocks > 1.25)
    return found < 0.5 * stated.length ? { kind: 'statement' } : { kind: 'silent' }
  return { kind: 'blocks', blocks: between(allBlocks, confirmed, new Set(chosen)) }
}

/** The confirmed blocks, and those between them that a statement cannot contain or that are too short to tell. */
function between(allBlocks: readonly Block[], confirmed: ReadonlySet<Block>, chosen: ReadonlySet<Block>): Block[] {
  const first = allBlocks.findIndex((block) => confirmed.has(block))
  const last = allBlocks.findLastIndex((block) => confirmed.has(block))
  return allBlocks
    .slice(first, last + 1)
    .filter((block) => confirmed.has(block) || (chosen.has(block) && (block.kind !== 'paragraph' || block.size < 40)))
}

/** Every window of 16 letters is identified by a hash; collisions are too rare to matter. */
const WINDOW = 16
const BASE = 31
const TOP = power(BASE, WINDOW - 1)

function shareIn(windows: ReadonlySet<number>, letters: string): number {
  const ownWindows = windowsOf(letters)
  let contained = 0
  for (let i = 0; i < ownWindows.length; i++) if (windows.has(ownWindows[i]!)) contained++
  return ownWindows.length === 0 ? 0 : contained / ownWindows.length
}

/** In order. */
function windowsOf(letters: string): Int32Array {
  const windows = new Int32Array(Math.max(0, letters.length - WINDOW + 1))
  let hash = 0
  for (let i = 0; i < letters.length; i++) {
    if (i >= WINDOW) hash = (hash - Math.imul(letters.charCodeAt(i - WINDOW), TOP)) | 0
    hash = (Math.imul(hash, BASE) + letters.charCodeAt(i)) | 0
    if (i >= WINDOW - 1) windows[i - WINDOW + 1] = hash
  }
  return windows
}

function power(base: number, exponent: number): number {
  let result = 1
  for (let i = 0; i < exponent; i++) result = Math.imul(result, base)
  return result
}
