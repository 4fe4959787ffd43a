/**
 * Message payloads: JSON with a version, compressed if large, and in the object store if too large for a message. Fleets are upgraded one
 * process at a time: payloads of the previous version are understood, and those of a later version are refused with an error until an
 * upgraded process receives them. Sizes are limited.
 */
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { ObjectStore } from '@nats-io/obj'
import type { MsgHdrs } from '@nats-io/transport-node'
import { type Millis, SECOND } from '../../model/index.ts'
import type { Delivery } from './delivery.ts'
import type { NatsModules } from './modules.ts'

/** An unreadable message: not ours, or damaged. */
export class DamagedPayload extends Error {}

/** A message for a later version of the program. */
export class LaterPayload extends Error {}

export interface PayloadVersions {
  current: number
  /** Converts the previous version to the current one. */
  fromBefore?: (body: unknown) => unknown
}

/** The version of tasks, outcomes and pushed documents. When their format changes, increment it and provide `fromBefore`. */
export const PAYLOAD: PayloadVersions = { current: 1 }

export interface PackedPayload {
  data: Uint8Array
  headers: MsgHdrs
  /** Its name in the object store. */
  object?: string
}

export interface Payloads {
  pack(text: string, name: string, from: string): Promise<PackedPayload>
  /** Throws DamagedPayload or LaterPayload. */
  unpack(delivery: Delivery): Promise<unknown>
  /** For replies to a task: its body is deleted together with the reply's. */
  setTaskObject(delivery: Pick<Delivery, 'header'>, headers: MsgHdrs): void
  /** Call when done: deletes its body from the object store. */
  deleteObject(delivery: Pick<Delivery, 'header'>): Promise<void>
}

export const FROM = 'Freshet-From'
/** Marks documents pushed by a hub, which are sent like outcomes. */
export const PUSHED = 'Freshet-Pushed'
const VERSION = 'Freshet-Payload'
const PACKING = 'Freshet-Packed'
const OBJECT = 'Freshet-Object'
/** Header of an outcome: the object with its task's body. The recipient deletes it, because fetchers may not delete anything. */
const TASK_OBJECT = 'Freshet-Task-Object'
const TASK = /^task-[\w-]+$/

/** When a message of a later version is redelivered: by then another process may be upgraded. */
export const LATER_VERSION_RETRY_MS: Millis = 10 * SECOND

export const MAX_MESSAGE_BYTES = 512 * 1024
export const MAX_PAYLOAD_BYTES = 128 * 1024 * 1024 // decompressed
const MIN_COMPRESSED_BYTES = 4096

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
    if (plain.length > MIN_COMPRESSED_BYTES) {
      data = await compress(plain)
      headers.set(PACKING, 'zstd')
    }
    if (data.length <= MAX_MESSAGE_BYTES) return { data, headers }
    await (await objects()).putBlob({ name }, data)
    headers.set(OBJECT, name)
    return { data: new Uint8Array(0), headers, object: name }
  }

  async function bytesOf(delivery: Delivery): Promise<Uint8Array> {
    const object = delivery.header(OBJECT)
    if (object === undefined) return delivery.data
    const store = await objects()
    const description = await store.info(object)
    if (!description || description.size > MAX_PAYLOAD_BYTES)
      throw new DamagedPayload(description ? 'it is too large' : 'its body no longer exists')
    const blob = await store.getBlob(object)
    if (!blob) throw new DamagedPayload('its body no longer exists')
    return blob
  }

  async function bodyOf(delivery: Delivery): Promise<unknown> {
    const bytes = await bytesOf(delivery)
    try {
      const isPacked = delivery.header(PACKING) === 'zstd'
      const plain = isPacked ? await decompress(bytes, { maxOutputLength: MAX_PAYLOAD_BYTES }) : Buffer.from(bytes)
      return JSON.parse(plain.toString())
    } catch (error) {
      throw new DamagedPayload(error instanceof Error ? error.message : String(error))
    }
  }

  return {
    pack,
    async unpack(delivery) {
      const version = Number(delivery.header(VERSION) ?? Number.NaN)
      if (!Number.isInteger(version) || version < 1) throw new DamagedPayload('it has no version')
      if (version > versions.current)
        throw new LaterPayload(
          `a message of version ${version} from ${delivery.header(FROM) ?? 'an unknown sender'} cannot be read by this process, which reads version ${versions.current}: upgrade it`,
        )
      if (version < versions.current - 1 || (version < versions.current && !versions.fromBefore))
        throw new DamagedPayload(`version ${version} is too old`)
      const body = await bodyOf(delivery)
      return version < versions.current ? versions.fromBefore!(body) : body
    },
    setTaskObject(delivery, headers) {
      const object = delivery.header(OBJECT)
      if (object !== undefined) headers.set(TASK_OBJECT, object)
    },
    async deleteObject(delivery) {
      const ofTask = delivery.header(TASK_OBJECT)
      const objectNames = [delivery.header(OBJECT), ofTask && TASK.test(ofTask) ? ofTask : undefined]
      for (const object of objectNames) if (object !== undefined) await (await objects()).delete(object).catch(() => {}) // it goes by itself after a day
    },
  }
}
