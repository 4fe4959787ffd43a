/**
 * What a message carries: plain JSON with its version beside it, packed where that is worth it, and in the object store where it is
 * too large for a message. A fleet is upgraded one process after the other: what the version before has sent is understood, and
 * what a later one has sent is refused, with a sentence, until somebody comes who understands it. Whatever comes is bounded.
 */
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { ObjectStore } from '@nats-io/obj'
import type { MsgHdrs } from '@nats-io/transport-node'
import { type Millis, SECOND } from '../../../model/index.ts'
import type { Delivery } from './delivery.ts'
import type { NatsModules } from './modules.ts'

/** A message that nobody can read: it is not ours, or was damaged on its way. */
export class DamagedPayload extends Error {}

/** A message that a later version of the program will read. */
export class LaterPayload extends Error {}

export interface PayloadVersions {
  current: number
  /** From the version before to the current one. */
  fromBefore?: (body: unknown) => unknown
}

/** Of tasks, outcomes and pushed documents. When their shape changes, it is one more, and `fromBefore` says how they were. */
export const PAYLOAD: PayloadVersions = { current: 1 }

export interface PackedPayload {
  data: Uint8Array
  headers: MsgHdrs
  /** Where it lies in the object store. */
  object?: string
}

export interface Payloads {
  pack(text: string, name: string, from: string): Promise<PackedPayload>
  /** Throws DamagedPayload or LaterPayload. */
  unpack(delivery: Delivery): Promise<unknown>
  /** For who answers a task: its body can be deleted together with the answer's. */
  answering(delivery: Pick<Delivery, 'header'>, headers: MsgHdrs): void
  /** It is done: what lies in the object store is not needed any more. */
  forget(delivery: Pick<Delivery, 'header'>): Promise<void>
}

export const FROM = 'Freshet-From'
/** Marks documents that a hub pushed, which travel with the outcomes. */
export const PUSHED = 'Freshet-Pushed'
const VERSION = 'Freshet-Payload'
const PACKING = 'Freshet-Packed'
const OBJECT = 'Freshet-Object'
/** On an outcome: where the body of its task lies. Who has the outcome deletes it, for a terminal may delete nothing. */
const TASK_OBJECT = 'Freshet-Task-Object'
const TASK = /^task-[\w-]+$/

/** When a message of a later version is delivered again: by then another process may be upgraded. */
export const LATER_VERSION_RETRY_MS: Millis = 10 * SECOND

export const LARGEST_MESSAGE = 512 * 1024
export const LARGEST_PAYLOAD = 128 * 1024 * 1024 // unpacked
const WORTH_PACKING = 4096

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export function createPayloads(
  { core }: Pick<NatsModules, 'core'>,
  objects: () => Promise<ObjectStore>,
  versions: PayloadVersions = PAYLOAD,
): Payloads {
  async function pack(text: string, name: string, from: string): Promise<PackedPayload> {
    const plain = Buffer.from(text)
    const headers = core.headers()
    headers.set(VERSION, String(versions.current))
    headers.set(FROM, from)
    let data: Uint8Array = plain
    if (plain.length > WORTH_PACKING) {
      data = await compress(plain)
      headers.set(PACKING, 'zstd')
    }
    if (data.length <= LARGEST_MESSAGE) return { data, headers }
    await (await objects()).putBlob({ name }, data)
    headers.set(OBJECT, name)
    return { data: new Uint8Array(0), headers, object: name }
  }

  async function bytesOf(delivery: Delivery): Promise<Uint8Array> {
    const object = delivery.header(OBJECT)
    if (object === undefined) return delivery.data
    const store = await objects()
    const about = await store.info(object)
    if (!about || about.size > LARGEST_PAYLOAD) throw new DamagedPayload(about ? 'it is too large' : 'its body is gone')
    const blob = await store.getBlob(object)
    if (!blob) throw new DamagedPayload('its body is gone')
    return blob
  }

  async function bodyOf(delivery: Delivery): Promise<unknown> {
    const bytes = await bytesOf(delivery)
    try {
      const isPacked = delivery.header(PACKING) === 'zstd'
      const plain = isPacked ? await decompress(bytes, { maxOutputLength: LARGEST_PAYLOAD }) : Buffer.from(bytes)
      return JSON.parse(plain.toString())
    } catch (error) {
      throw new DamagedPayload(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    pack,
    async unpack(delivery) {
      const version = Number(delivery.header(VERSION) ?? Number.NaN)
      if (!Number.isInteger(version) || version < 1) throw new DamagedPayload('it does not say of which version it is')
      if (version > versions.current)
        throw new LaterPayload(
          `a message of version ${version} came from ${delivery.header(FROM) ?? 'somebody'}, and this program reads ${versions.current}: upgrade it, too`,
        )
      if (version < versions.current - 1 || (version < versions.current && !versions.fromBefore))
        throw new DamagedPayload(`it is of version ${version}, which is too old`)
      const body = await bodyOf(delivery)
      return version < versions.current ? versions.fromBefore!(body) : body
    },
    answering(delivery, headers) {
      const object = delivery.header(OBJECT)
      if (object !== undefined) headers.set(TASK_OBJECT, object)
    },
    async forget(delivery) {
      const ofTask = delivery.header(TASK_OBJECT)
      const all = [delivery.header(OBJECT), ofTask && TASK.test(ofTask) ? ofTask : undefined]
      for (const object of all) if (object !== undefined) await (await objects()).delete(object).catch(() => {}) // it goes by itself after a day
    },
  }
}
