/**
 * Messages between a thread client and its worker, by structured clone. Calls are sent in batches and run in order;
 * replies are batched, too. A returned stream stays in the worker: the client pulls it chunk by chunk.
 */
import { HintedError } from '../model/index.ts'
import { StoreError, type StoreErrorKind } from '../ports/index.ts'

export interface Call {
  id: number
  target: string
  method: string
  args: unknown[]
}

export type CallReply = { id: number; tookMs: number } & ({ value: unknown } | { error: SentError })

export interface ToWorker {
  calls: Call[]
}

/** First `targets`, with the method names of each object, or `failed`; then replies. */
export type FromWorker = { targets: Record<string, string[]> } | { failed: SentError } | { replies: CallReply[] }

export interface WorkerStart {
  /** Address of a module that exports `open`. */
  module: string
  /** Maps `data` to the objects whose methods can be called, by name. */
  open: string
  data: unknown
}

/** Target of calls that pull a stream. */
export const STREAM_TARGET = '$streams'

export interface StreamChunk {
  values: unknown[]
  done: boolean
}

/** An error as plain values: structured clone keeps neither classes nor own properties of errors. */
export interface SentError {
  name: string
  message: string
  stack?: string
  hint?: string
  store?: { kind: StoreErrorKind; ownerUrl?: string; isTransient: boolean }
}

export function sendableError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const { name, message, stack } = error
  const sent: SentError = { name, message, ...(stack !== undefined && { stack }) }
  if (error instanceof HintedError) sent.hint = error.hint
  if (error instanceof StoreError) {
    const { kind, ownerUrl, isTransient } = error
    sent.store = { kind, isTransient, ...(ownerUrl !== undefined && { ownerUrl }) }
  }
  return sent
}

export function receivedError({ name, message, stack, hint, store }: SentError): Error {
  const error = store
    ? new StoreError(store.kind, message, hint ?? '', store)
    : hint !== undefined
      ? new HintedError(message, hint)
      : new (BUILT_IN.get(name) ?? Error)(message)
  if (stack !== undefined) error.stack = stack
  return error
}

const BUILT_IN = new Map<string, ErrorConstructor>(
  [RangeError, TypeError, SyntaxError].map((kind) => [kind.name, kind as ErrorConstructor]),
)
