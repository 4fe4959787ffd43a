/**
 * The controller's end. Tasks are published under the token of their lease, so that one that is sent twice is there once. Outcomes
 * come by bucket, from the buckets that are ours; they are acknowledged when they are applied, and meanwhile the server is told
 * that somebody is at it. What was refused once is brought again alone, so that it harms no other.
 *
 * Whoever asks the server to take a task and hears nothing cannot know whether it was taken. So it is asked again, as long as
 * the task is good for something; meanwhile the task counts as being out.
 *
 * Who follows somebody that died cannot know either whether what he had taken was sent. So it is sent again, under the same token, as
 * one that nobody is to go out for: the server takes it if it has never had the task, and drops it if it has. Once it is taken,
 * the task itself is one that comes twice.
 */
import type { Subscription } from '@nats-io/transport-node'
import { type Bucket, MINUTE, type Millis, type Outcome, type PushedDocument, type Task } from '../../../model/index.ts'
import {
  type Clock,
  type Dispatch,
  type KeepPushed,
  NotOursNow,
  QueueError,
  type Refusal,
} from '../../../ports/index.ts'
import { outcomeFromCarried } from '../outcome-json.ts'
import type { NatsLink } from './connection.ts'
import { type Letter, letterOf } from './letter.ts'
import { queueNames } from './names.ts'
import { DamagedPayload, FROM, LaterPayload, type Payloads } from './payload.ts'
import type { ServerTime } from './server-time.ts'
import { isCarriedOutcome } from './shapes.ts'

export interface DispatchParts {
  link: NatsLink
  payloads: Payloads
  queueName: string
  who: string
  time: ServerTime
  /** By which tasks are dated; the machine's, where nothing is said. */
  clock?: Pick<Clock, 'now'> | undefined
  ackWaitMs: Millis
  /** For how long the server knows that it has had a task. */
  rememberedMs: Millis
  /** Whether we are one of several: nothing is collected before it is said which buckets are ours. */
  byBucket?: boolean
  /** How long an outcome may wait for others. */
  gatherMs?: Millis
  /** How long what was refused waits until it is brought again. */
  againMs?: Millis
  onMistake: (error: unknown) => void
  /** Told who sent something that is no outcome. */
  onNonsense?: (from: string, what: string) => void
}

export interface NatsDispatch extends Dispatch {
  keepPushed: KeepPushed
  /** Whether tasks can be sent, as far as we know. */
  isUp(): boolean
}

interface Brought {
  letter: Letter
  outcome: Outcome
}

const NANOS = 1_000_000
const LARGEST_BATCH = 200
const MOST_TRIES = 3
const MOST_TRIED = 10_000
const TRIED_AGAIN_MS: Millis = 1000
const MOST_UNACKED = 256 // of a bucket
/** What was brought to somebody who died is brought to who takes over, as soon as that is known to have happened. */
const LONGEST_HELD_MS: Millis = 8000
const SEND_WAITS_MS: Millis = 2000
const GOOD_FOR_MS: Millis = 10 * MINUTE // a task that does not say
const LATER_MS: Millis = 10_000
const PUSHED = 'Freshet-Pushed'

export function createNatsDispatch(parts: DispatchParts): NatsDispatch {
  const { link, payloads, queueName, who, gatherMs = 0, againMs = TRIED_AGAIN_MS, onMistake } = parts
  const { byBucket = false, onNonsense = () => {}, time, clock = { now: Date.now } } = parts
  const heldMs = Math.min(parts.ackWaitMs, LONGEST_HELD_MS)
  const { nc, modules } = link
  const { jetstream, jetstreamManager, AckPolicy } = modules.jetstream
  const names = queueNames(queueName)
  const js = jetstream(nc)
  let apply: ((outcomes: Outcome[]) => Promise<void>) | undefined
  let take: ((pushed: PushedDocument) => Promise<void>) | undefined
  const mail = new Map<Bucket | undefined, Subscription>()
  let gathered: Brought[] = []
  let refused: Brought[] = []
  const tries = new Map<string, number>()
  const held = new Set<Letter>()
  let reading = 0
  let isApplying = false
  let isClosing = false
  let isAbandoned = false
  let isHurried = false
  let refusal: Refusal | undefined
  let enough = () => {}
  let whenIdle: (() => void)[] = []

  const signing = setInterval(() => {
    if (link.isUp()) for (const letter of held) letter.sign()
  }, heldMs / 6)
  signing.unref()

  async function sendOne(task: Task): Promise<void> {
    const name = `task-${task.lease ?? crypto.randomUUID()}`
    const ageMs = task.departedAt === undefined ? 0 : Math.max(0, clock.now() - task.departedAt)
    const until = performance.now() + (task.goodForMs ?? GOOD_FOR_MS) - ageMs
    // By the clock that everybody can read: whoever is stopped from here on cannot make it a later one.
    const dated = task.departedAt === undefined ? task : { ...task, departedAt: Math.floor(time.now() - ageMs) }
    const { data, headers } = await payloads.pack(JSON.stringify(dated), name, who)
    for (let told = false; ; ) {
      try {
        await js.publish(names.taskSubject(task.kind), data, { headers, msgID: name })
        refusal = undefined
        return
      } catch (error) {
        const isLast = nc.isClosed() || isClosing || performance.now() > until
        // Whoever is told that nothing is taken sends nothing more: then only those who ask again find out that it is over.
        const { words, hint } = saidBy(error)
        refusal = isLast || !link.isUp() ? undefined : { words, hint, sinceAt: refusal?.sinceAt ?? clock.now() }
        if (!told && !isClosing) onMistake(new QueueError(words, hint, { cause: error }))
        told = true
        if (isLast) return
      }
      await pause(againMs)
    }
  }

  /** Bounded: whether they arrive is not ours to wait for. */
  async function sendAll(tasks: Task[]): Promise<void> {
    await Promise.race([Promise.all(tasks.map(sendOne)), pause(SEND_WAITS_MS)])
  }

  function pause(ms: Millis): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms).unref())
  }

  /** A durable consumer that is there is left as it is. */
  async function listenTo(bucket: Bucket | undefined): Promise<void> {
    if (mail.has(bucket)) return
    const subscription = nc.subscribe(names.bringSubject(bucket), {
      callback: (error, message) => {
        if (!error) void receive(letterOf(nc, message)).catch(onMistake)
      },
    })
    mail.set(bucket, subscription)
    await makeConsumer(bucket)
  }

  async function makeConsumer(bucket: Bucket | undefined): Promise<void> {
    const jsm = await jetstreamManager(nc, { checkAPI: false })
    const name = names.consumer(bucket)
    const config = {
      durable_name: name,
      deliver_subject: names.bringSubject(bucket),
      filter_subject: bucket === undefined ? `${queueName}.outcomes.*` : names.outcomeSubject(bucket),
      ack_policy: AckPolicy.Explicit,
      ack_wait: heldMs * NANOS,
      max_ack_pending: MOST_UNACKED,
      // A file for each of 256 consumers, written at every acknowledgement, took half of the server's CPU. A server that is started again knows by the
      // stream what was not acknowledged, and by us which consumers there are.
      mem_storage: true,
    }
    await jsm.consumers.add(names.outcomes, config).catch(async (error: unknown) => {
      await jsm.consumers.info(names.outcomes, name).catch(() => Promise.reject(error)) // of another version: it is left as it is
    })
  }

  // A server that has lost what it had is given it again.
  link.onAgain(async () => {
    await Promise.all([...mail.keys()].map(makeConsumer))
  })

  async function receive(letter: Letter): Promise<void> {
    if (isClosing) return letter.refuse()
    reading++
    held.add(letter)
    try {
      const body = await payloads.unpack(letter)
      if (letter.header(PUSHED)) return await takePushed(letter, body)
      if (!isCarriedOutcome(body)) throw new DamagedPayload('it is no outcome')
      const from = letter.header(FROM)
      const outcome = await outcomeFromCarried(body).catch(damaged)
      const brought = { letter, outcome: { ...outcome, ...(byBucket && from && { by: from }) } }
      if (tries.has(nameOf(brought)) || letter.deliveries > 1) refused.push(brought)
      else gathered.push(brought)
    } catch (error) {
      held.delete(letter)
      unreadable(letter, error)
    } finally {
      reading--
      tellIfIdle() // also after a push, or what nobody can read
    }
    if (isEnough()) enough()
    void applyGathered()
  }

  function unreadable(letter: Letter, error: unknown): void {
    const from = letter.header(FROM) ?? 'somebody'
    if (error instanceof LaterPayload) {
      letter.refuse(LATER_MS)
      onMistake(error)
    } else if (error instanceof DamagedPayload) {
      letter.drop()
      void payloads.forget(letter)
      onNonsense(from, error.message)
      onMistake(new Error(`what ${from} sent cannot be read: ${error.message}`))
    } else {
      letter.refuse(againMs)
      if (!(error instanceof NotOursNow)) onMistake(error)
    }
  }

  async function takePushed(letter: Letter, body: unknown): Promise<void> {
    const { token, bucket, headers, body: base64 } = body as Record<string, unknown>
    if (typeof token !== 'string' || typeof base64 !== 'string' || typeof headers !== 'object')
      throw new DamagedPayload('it is no pushed document')
    const document = { token, bucket: bucket as Bucket, headers: headers as PushedDocument['headers'] }
    await take?.({ ...document, body: Buffer.from(base64, 'base64') })
    done(letter)
  }

  function nameOf({ letter, outcome }: Brought): string {
    return outcome.task.lease ?? `${letter.subject} ${letter.storedAt}`
  }

  function isEnough(): boolean {
    return isClosing || isHurried || gathered.length >= LARGEST_BATCH
  }

  async function applyGathered(): Promise<void> {
    if (isApplying || !apply) return
    isApplying = true
    while (gathered.length + refused.length > 0 && !isAbandoned) {
      if (gathered.length > 0 && !isEnough() && gatherMs > 0) await gather()
      else await new Promise((resolve) => setImmediate(resolve))
      const again = refused.shift()
      const batch = again ? [again] : gathered.splice(0, LARGEST_BATCH)
      if (batch.length > 0) await applyBatch(apply, batch)
    }
    isApplying = false
    tellIfIdle()
  }

  function gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs)
      enough = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function applyBatch(applier: NonNullable<typeof apply>, batch: Brought[]): Promise<void> {
    try {
      await applier(batch.map(({ outcome }) => outcome))
      for (const brought of batch) {
        tries.delete(nameOf(brought))
        done(brought.letter)
      }
    } catch (error) {
      const isOurs = !(error instanceof NotOursNow)
      if (!isAbandoned && isOurs) onMistake(error)
      for (const brought of batch) refuse(brought, isOurs)
    }
  }

  function done(letter: Letter): void {
    held.delete(letter)
    letter.ack()
    void payloads.forget(letter)
  }

  function refuse(brought: Brought, counts: boolean): void {
    const { letter } = brought
    const name = nameOf(brought)
    const tried = (tries.get(name) ?? 0) + (counts ? 1 : 0)
    if (tried >= MOST_TRIES) {
      tries.delete(name)
      held.delete(letter)
      letter.drop()
      void payloads.forget(letter)
    } else {
      tries.set(name, tried)
      const [oldest] = tries.keys()
      if (tries.size > MOST_TRIED && oldest) tries.delete(oldest) // somebody else has applied it
      held.delete(letter)
      letter.refuse(isClosing ? 0 : againMs)
    }
  }

  function tellIfIdle(): void {
    if (!isAbandoned && (isApplying || reading > 0 || (apply && gathered.length + refused.length > 0))) return
    for (const tell of whenIdle) tell()
    whenIdle = []
  }

  return {
    outlivesUs: true,
    isUp: () => link.isUp() && refusal === undefined,
    refusal: () => refusal,
    async send(tasks) {
      if (isClosing) throw new Error('the queue is closed and takes no more tasks')
      isHurried = false
      await sendAll(tasks)
    },
    async recall(tasks) {
      const isYoung = ({ departedAt = 0 }: Task) => clock.now() - departedAt < parts.rememberedMs / 2
      await sendAll(tasks.filter(isYoung).map((task) => ({ ...task, isRecalled: true as const })))
    },
    collect(applier, taker) {
      if (apply) throw new Error('somebody collects already')
      apply = applier
      take = taker
      if (!byBucket) void listenTo(undefined).catch((error: unknown) => isClosing || onMistake(error))
    },
    async own(buckets) {
      if (!byBucket) throw new Error('who collects everything cannot own a part of it')
      for (const [bucket, subscription] of mail)
        if (bucket === undefined || !buckets.has(bucket)) {
          subscription.unsubscribe()
          mail.delete(bucket)
        }
      await Promise.all([...buckets].map(listenTo))
    },
    hurry() {
      isHurried = true
      enough()
    },
    async keepPushed({ body, ...rest }) {
      const name = `pushed-${crypto.randomUUID()}`
      const text = JSON.stringify({ ...rest, body: Buffer.from(body).toString('base64') })
      const { data, headers } = await payloads.pack(text, name, who)
      headers.set(PUSHED, '1')
      await js.publish(names.outcomeSubject(rest.bucket), data, { headers, msgID: name })
    },
    async close(signal) {
      isClosing = true
      enough()
      for (const subscription of mail.values()) if (!nc.isClosed()) subscription.unsubscribe()
      const abandonAll = () => {
        isAbandoned = true
        for (const { letter } of [...gathered, ...refused]) letter.refuse()
        gathered = []
        refused = []
        tellIfIdle()
      }
      if (signal?.aborted) abandonAll()
      signal?.addEventListener('abort', abandonAll, { once: true })
      await new Promise<void>((resolve) => {
        whenIdle.push(resolve)
        tellIfIdle()
      })
      signal?.removeEventListener('abort', abandonAll)
      clearInterval(signing)
    },
  }
}

/** A server whose disk is full refuses everything, or has given up JetStream, and then answers nothing. */
function saidBy(error: unknown): Pick<Refusal, 'words' | 'hint'> {
  const said = error instanceof Error ? error.message : String(error)
  const words = `NATS does not take tasks: ${said}`
  const hint = /resources|space|limit|maximum/i.test(said)
    ? 'Make room on the disk of JetStream, or give it more; if it does not go on then, start nats-server again.'
    : 'Look whether the disk of JetStream is full: it is switched off then, until nats-server is started again.'
  return { words, hint }
}

function damaged(error: unknown): never {
  throw new DamagedPayload(error instanceof Error ? error.message : String(error))
}
