/**
 * Reads a response body within its limits: on bytes as transferred, on bytes after each decoding layer, and on the number of chunks,
 * because a body in chunks of one byte is small, but each chunk costs as much as one of 64 KB. Stops at the first excess.
 */
import type { Readable, Transform } from 'node:stream'
import { createDecoders, decompressRest } from './decode.ts'
import { LARGE_BODY_BYTES, type LargeBodySlots } from './large-body-slots.ts'
import type { Lifetime } from './lifetime.ts'
import { NetError } from './net-error.ts'
import type { ResponseHead } from './response-head.ts'

export interface BodyLimits {
  maxBytes: number
  maxWireBytes: number
  /** After decoding: the rest is not read. */
  enoughBytes: number
  /** Called with each chunk as transferred, before decoding. */
  onWire?: (chunk: Uint8Array) => void
}

const MAX_CHUNKS = 100_000 // honest servers that send line by line stay far below

export function readResponseBody(
  { headers, body: source, isWhole }: ResponseHead,
  limits: BodyLimits,
  largeBodies: LargeBodySlots,
  lifetime: Lifetime,
): Promise<{ body: Uint8Array; wireBytes: number; isCut: boolean }> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let wireBytes = 0
    let chunkCount = 0
    let bytes = 0
    let isEnough = false
    let decoders: Transform[] | undefined
    let releaseSlot = () => {}
    let stopListening = () => {}

    function release(): void {
      stopListening()
      releaseSlot()
    }

    /** `from`: the stream it came from, the body or its innermost decoder. */
    function addChunk(chunk: Uint8Array, from: Readable): void {
      if (isEnough) return
      chunks.push(chunk)
      const wasSmall = bytes <= LARGE_BODY_BYTES
      bytes += chunk.length
      if (bytes >= limits.enoughBytes) {
        stopReading()
        return
      }
      if (!wasSmall || bytes <= LARGE_BODY_BYTES) return
      from.pause()
      releaseSlot = largeBodies.acquire(() => from.resume())
    }

    function fail(error: NetError): void {
      release()
      source.destroy()
      for (const decoder of decoders ?? []) decoder.destroy()
      reject(error)
    }

    function stopReading(): void {
      isEnough = true
      finish()
      source.destroy()
      for (const decoder of decoders ?? []) decoder.destroy()
    }

    function finish(): void {
      release()
      const body = Buffer.concat(chunks)
      if (isEnough) resolve({ body, wireBytes, isCut: true })
      else
        decompressRest(body, limits.maxBytes).then((whole) => resolve({ body: whole, wireBytes, isCut: false }), reject)
    }

    function createDecoderChain(start: Uint8Array): Transform[] {
      const layers = createDecoders(headers['content-encoding'], start)
      for (const [index, layer] of layers.entries()) {
        layer.on('error', (cause) => fail(new NetError('broken-body', 'the response could not be decoded', { cause })))
        layer.on('data', counter(limits.maxBytes, 'after decoding', fail))
        const next = layers[index + 1]
        if (next) layer.pipe(next)
        else layer.on('data', (chunk) => addChunk(chunk, layer)).on('end', finish)
      }
      return layers
    }

    const countWire = counter(limits.maxWireBytes, 'as transferred', fail)
    const countPlain = counter(limits.maxBytes, '', fail)
    source.on('data', (chunk: Uint8Array) => {
      wireBytes += chunk.length
      if (++chunkCount > MAX_CHUNKS) return fail(new NetError('too-large', `more than ${MAX_CHUNKS} chunks`))
      countWire(chunk)
      limits.onWire?.(chunk)
      try {
        decoders ??= createDecoderChain(chunk)
      } catch (error) {
        return fail(error as NetError)
      }
      const [outermost] = decoders
      if (!outermost) {
        countPlain(chunk)
        addChunk(chunk, source)
      } else if (!outermost.write(chunk)) {
        source.pause()
        outermost.once('drain', () => source.resume())
      }
    })
    source.on('end', () => {
      if (!isWhole()) fail(brokenOff(wireBytes))
      else if (decoders?.[0]) decoders[0].end()
      else finish()
    })
    source.on('error', () => fail(brokenOff(wireBytes)))
    source.on('close', () => source.readableEnded || fail(brokenOff(wireBytes)))

    stopListening = lifetime.onEnd(fail)
    const announced = Number(headers['content-length'])
    if (source.destroyed)
      fail(brokenOff(0)) // before reading began
    else if (limits.enoughBytes < limits.maxBytes)
      return // only the beginning is read
    else if (announced > limits.maxWireBytes) fail(tooLarge(limits.maxWireBytes, 'as transferred'))
    else if (announced > limits.maxBytes && !headers['content-encoding']) fail(tooLarge(limits.maxBytes, ''))
  })
}

function counter(maxBytes: number, phase: string, fail: (error: NetError) => void): (chunk: Uint8Array) => void {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    if (bytes > maxBytes) fail(tooLarge(maxBytes, phase))
  }
}

function tooLarge(maxBytes: number, phase: string): NetError {
  return new NetError('too-large', `more than ${maxBytes} bytes ${phase}`.trim())
}

function brokenOff(bytes: number): NetError {
  return new NetError('broken-body', `the response ended after ${bytes} bytes`)
}
