/** Sends an entry to a destination: one request, or two if the preset starts with another one. Never throws for outside failures. */
import type { EntryDetailsShape } from '../api/index.ts'
import { type Destination, describeFailure, type Instant, type SendAttempt, type UserId } from '../model/index.ts'
import { retryAfterMs } from '../politeness/index.ts'
import type { Net, NetAnswer } from '../ports/index.ts'
import { entryValues } from './entry-values.ts'
import type { Preset, PresetRequest } from './preset.ts'
import { FOLDER_PRESET, PRESETS } from './presets.ts'
import { fillAddress, fillJson, fillText, fillTexts, type TemplateValues } from './template.ts'

/** Writes an entry to the user's folder of files. Returns why it could not. */
export type WriteNote = (userId: UserId, entry: EntryDetailsShape) => Promise<string | undefined>

export interface SenderParts {
  net: Net
  /** Absent if the operator named no folder. */
  writeNote?: WriteNote
  now: () => Instant
}

export interface EntryToSend {
  userId: UserId
  destination: Destination
  entry: EntryDetailsShape
  /** The same for each try. */
  sendId: string
}

export type SendEntry = (sent: EntryToSend, signal?: AbortSignal) => Promise<SendAttempt>

type Failed = Omit<SendAttempt, 'at'> & { trouble: string }

/** Of JSON; other responses are not read, because some services return the whole article. */
const MAX_RESPONSE_BYTES = 256 * 1024
/** Statuses of 4xx after which another try may succeed. */
const RETRIED: readonly number[] = [408, 425, 429]

export function createSendEntry({ net, writeNote, now }: SenderParts): SendEntry {
  async function perform(
    request: PresetRequest,
    values: TemplateValues,
    signal: AbortSignal | undefined,
  ): Promise<{ status: number; json: unknown } | { failed: Failed }> {
    const response = await exchange(net, request, values, signal)
    if (!response.ok) {
      const isFinal = response.failure.kind === 'forbidden-address'
      return { failed: { trouble: describeFailure(response.failure), ...(isFinal && { isFinal }) } }
    }
    const { status } = response
    if (status < 200 || status >= 300) {
      const note = status >= 300 && status < 400 ? '; redirects are not followed' : ''
      const trouble = `${describeFailure({ kind: 'http', status })}${note}`
      if (status < 500 && !RETRIED.includes(status)) return { failed: { status, trouble, isFinal: true } }
      const waitMs = retryAfterMs(response.headers, now())
      return { failed: { status, trouble, ...(waitMs !== undefined && { retryAfterMs: waitMs }) } }
    }
    const json = parseJson(response.body)
    if (request.success && valueAt(json, request.success.name) !== request.success.value)
      return { failed: { status, trouble: 'the service did not accept the entry' } }
    return { status, json }
  }

  async function sendTo(
    preset: Preset,
    { destination, entry, sendId }: EntryToSend,
    signal: AbortSignal | undefined,
  ): Promise<{ status: number } | { failed: Failed }> {
    let values: TemplateValues = { ...fieldValues(preset, destination), ...entryValues(entry, sendId) }
    if (preset.first) {
      const first = await perform(preset.first, values, signal)
      if ('failed' in first) return { failed: { ...first.failed, trouble: `login failed: ${first.failed.trouble}` } }
      const { status, json } = first
      const answers = Object.entries(preset.first.answer).map(([name, names]) => [name, firstText(json, names)])
      if (answers.some(([, value]) => value === ''))
        return { failed: { status, trouble: 'login failed: the response has no token' } }
      values = { ...values, ...Object.fromEntries(answers) }
    }
    return perform(preset.request, values, signal)
  }

  return async (sent, signal) => {
    const { userId, destination, entry } = sent
    const at = now()
    const fail = (trouble: string): SendAttempt => ({ at, trouble, isFinal: true })
    if (destination.preset === FOLDER_PRESET.id) {
      if (!writeNote) return fail('this server has no folder for files')
      const trouble = await writeNote(userId, entry)
      return { at, ...(trouble !== undefined && { trouble }) }
    }
    const preset = PRESETS.find(({ id }) => id === destination.preset)
    if (!preset) return fail('this version does not know the service')
    if (!destination.secrets) return fail('its passwords and tokens cannot be decrypted: enter them again')
    if (preset.needsUrl && !entry.url) return fail('the entry has no address')
    const result = await sendTo(preset, sent, signal)
    if (!('failed' in result)) return { at, status: result.status }
    return { at, ...result.failed, trouble: withoutSecrets(result.failed.trouble, destination.secrets) }
  }
}

/** Redirects are not followed: they would carry tokens elsewhere. */
function exchange(
  net: Net,
  request: PresetRequest,
  values: TemplateValues,
  signal: AbortSignal | undefined,
): Promise<NetAnswer> {
  const needsJson = request.success !== undefined || 'answer' in request
  const { method, query, headers = {}, login, form, json } = request
  const parameters = query && new URLSearchParams(fillTexts(query, values)).toString()
  const user = login && fillText(login.user, values)
  const common = {
    url: fillAddress(request.url, values) + (parameters ? `?${parameters}` : ''),
    headers: { accept: 'application/json', ...fillTexts(headers, values) },
    ...(login && user !== undefined && { credentials: { user, password: fillText(login.password, values) ?? '' } }),
    maxBytes: MAX_RESPONSE_BYTES,
    shouldSkipBody: () => !needsJson,
    shouldFollow: () => false,
    ...(signal && { signal }),
  }
  if (method === 'GET') return net.get(common)
  if (form) return net.post({ ...common, form: fillTexts(form, values) })
  const text = JSON.stringify(json === undefined ? {} : fillJson(json, values))
  return net.post({ ...common, method, document: { type: 'application/json', text } })
}

/** Empty fields have the values of the preset. */
function fieldValues({ fields }: Preset, { fields: values, secrets }: Destination): TemplateValues {
  return Object.fromEntries(
    fields.map(({ name, isSecret, preset }) => [name, (isSecret ? secrets : values)?.[name] || (preset ?? '')]),
  )
}

function firstText(json: unknown, names: readonly string[]): string {
  const values = names.map((name) => valueAt(json, name))
  return values.find((value) => typeof value === 'string' && value !== '' && value.length < MAX_TOKEN)?.toString() ?? ''
}

const MAX_TOKEN = 10_000

function valueAt(json: unknown, name: string): unknown {
  let value = json
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

/** A failure may contain the address, which may contain a token. */
function withoutSecrets(text: string, secrets: Readonly<Record<string, string>>): string {
  const values = Object.values(secrets).filter((value) => value.length > 3)
  return values.reduce((shown, value) => shown.replaceAll(value, '…').replaceAll(encodeURIComponent(value), '…'), text)
}
