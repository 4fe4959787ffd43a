/**
 * What users do with entries, as examples for the model. Users do not see everything, so an entry counts as skipped only if it was shown
 * above one that was opened (Joachims 2002): what was never on the screen says nothing. Marking a whole list as read says little.
 */
import type { Instant } from '../model/index.ts'

/**
 * - opened:    the user opened it
 * - finished:  they scrolled to its end, or stayed as long as reading it takes
 * - starred:   they starred it
 * - read:      another feed reader marked it as read, alone: it was probably opened
 * - skipped:   it was shown above an entry that was opened
 * - dismissed: it was marked as read without being opened
 * - cleared:   it was shown, and the whole list was marked as read
 */
export const SIGNALS = ['opened', 'finished', 'starred', 'read', 'skipped', 'dismissed', 'cleared'] as const

export type Signal = (typeof SIGNALS)[number]

/** When each first happened. */
export type EntrySignals = { [Name in Signal]?: Instant }

export interface SignalExample {
  isLiked: boolean
  weight: number
  at: Instant
}

const EVIDENCE: Record<Signal, Omit<SignalExample, 'at'>> = {
  opened: { isLiked: true, weight: 1 },
  finished: { isLiked: true, weight: 1 },
  starred: { isLiked: true, weight: 2 },
  read: { isLiked: true, weight: 0.3 },
  skipped: { isLiked: false, weight: 0.5 },
  dismissed: { isLiked: false, weight: 0.5 },
  cleared: { isLiked: false, weight: 0.1 },
}

/** Undefined if the signal says nothing new: it came before, or the entry was liked and is now only cleared away. */
export function addSignal(before: EntrySignals, signal: Signal, at: Instant): EntrySignals | undefined {
  if (before[signal] !== undefined) return undefined
  const isSettled = EVIDENCE[signal].isLiked ? signal === 'read' && before.opened !== undefined : hasSignals(before)
  return isSettled ? undefined : { ...before, [signal]: at }
}

/** In the order in which they happened. */
export function examplesOf(signals: EntrySignals): SignalExample[] {
  return SIGNALS.flatMap((signal) => {
    const at = signals[signal]
    return at === undefined ? [] : [{ ...EVIDENCE[signal], at }]
  }).sort((a, b) => a.at - b.at)
}

/** Whether the user wanted the entry: they opened, finished or starred it. */
export function isLiked(signals: EntrySignals): boolean {
  return SIGNALS.some((signal) => EVIDENCE[signal].isLiked && signals[signal] !== undefined)
}

function hasSignals(signals: EntrySignals): boolean {
  return SIGNALS.some((signal) => signal !== 'cleared' && signals[signal] !== undefined)
}
