/**
 * M, T and ToE of a feed over time (Adam et al. 2009 and 2010, figures of the adaptation). They are not stored: they follow
 * from the log of successful polls, by the code that has set them (rounds.ts).
 *
 * The log may begin before or after the strategy was assigned to the feed. The strategy's current memory tells: a history is
 * exact if it ends there. A strategy that is assigned to a feed first learns from the last successful poll, so its history
 * begins with one of the logged polls; the earliest that leads to the memory is used. After some polls with new entries M
 * hardly depends on its first value, so a log whose beginning was deleted leads there, too.
 */
import type { Instant, Memory } from '../model/index.ts'
import { createRounds, type ROUND_SETTINGS, type RoundTimer, roundsToWait } from './rounds.ts'
import { advaRss, decodeAdvaMemory } from './strategies/adva-rss.ts'
import { decodeTrainingMemory, postingHistory } from './strategies/posting-history.ts'
import { parseSettings, type Values } from './strategy-settings.ts'

/** A successful poll, and whether it found new entries. */
export interface RoundPoll {
  at: Instant
  found: boolean
}

/** State after a poll. */
export interface RoundPoint extends RoundPoll {
  M: number
  T: number
  ToE: number
}

export interface RoundHistory {
  points: RoundPoint[]
  /** Whether the history ends with the strategy's current memory. */
  isExact: boolean
  /** End of the training phase, if the strategy polls in rounds only during training. */
  trainsUntil?: Instant
}

/** Two decimal places, as shown to users. */
const TOLERANCE = 0.005
/** How many polls are tried as the beginning; takes a few milliseconds. */
const MAX_STARTS = 1000

/** `polls`: oldest first. Undefined if the strategy has no M, T and ToE. */
export function roundHistory(spec: string, memory: Memory, polls: readonly RoundPoll[]): RoundHistory | undefined {
  const [name = '', settings = ''] = spec.split(/:(.*)/s)
  if (name === 'adva-rss') {
    const rounds = createRounds(parseSettings(name, advaRss, settings) as Values<typeof ROUND_SETTINGS>)
    return reconstructHistory(polls, rounds, decodeAdvaMemory(memory)?.timer, MAX_STARTS)
  }
  if (name !== 'posting-history') return undefined
  const values = parseSettings(name, postingHistory, settings)
  const training = Number(values.training)
  if (training === 0) return undefined
  const decoded = decodeTrainingMemory(memory)
  const beganAt = decoded?.beganAt ?? polls[0]?.at ?? 0
  const rounds = createRounds(values as Values<typeof ROUND_SETTINGS>)
  const since = polls.filter(({ at }) => at >= beganAt)
  const { points, isExact } = reconstructHistory(since, rounds, decoded?.timer, 0)
  const trainsUntil = beganAt + training
  return { points: points.filter(({ at }) => at < trainsUntil), isExact, trainsUntil }
}

/** The history begins with the first poll, or with one of the last `others`. */
function reconstructHistory(
  polls: readonly RoundPoll[],
  rounds: ReturnType<typeof createRounds>,
  target: Pick<RoundTimer, 'median' | 'timer'> | undefined,
  otherFinds: number,
): RoundHistory {
  const endOf = (start: number) => {
    let timer = rounds.first
    for (let i = start; i < polls.length; i++) timer = rounds.after(timer, i === start || polls[i]!.found)
    return timer
  }
  const isReached = (start: number) => {
    const { median, timer } = endOf(start)
    return (
      target !== undefined && Math.abs(median - target.median) < TOLERANCE && Math.abs(timer - target.timer) < TOLERANCE
    )
  }
  if (polls.length === 0) return { points: [], isExact: target === undefined }
  const candidates = Array.from(polls.keys()).filter((i) => i === 0 || i >= polls.length - otherFinds)
  const start = candidates.find(isReached)
  const isExact = start !== undefined
  const points: RoundPoint[] = []
  let state = rounds.first
  for (const [i, { at, found }] of polls.slice(start ?? 0).entries()) {
    state = rounds.after(state, i === 0 || found)
    const late = i === 0 ? rounds.firstToE(at) : 0
    points.push({ at, found, M: state.median, T: state.timer, ToE: roundsToWait(state) + late })
  }
  return { points, isExact }
}
