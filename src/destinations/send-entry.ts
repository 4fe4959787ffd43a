/** Sends an entry to a destination: one request, or two if the preset starts with another one. Never throws for outside failures. */
import type { EntryDetailsShape } from '../api/index.ts'
import { type Destination, describeFailure, type Instant, type SendAttempt, type UserId } from '../model/index.ts'
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

/** Of JSON; other responses are not read, because some services return the whole article. */
const MAX_RESPONSE_BYTES = 256 * 1024
/** Statuses of 4xx after which another try may succeed. */
const RETRIED: readonly number[] = [408, 425, 429]

export function createSendEntry({ net, writeNote, now }: SenderParts): SendEntry {
  async function perform(
    request: PresetRequest,
    values: TemplateValues,
    signal: AbortSignal | undefined,
  ): Promise<{ status: number; json: unknown } | { status?: number; trouble: string; isFinal?: true }> {
    const response = await exchange(net, request, values, signal)
    if (!response.ok) {
      const isFinal = response.failure.kind === 'forbidden-address'
      return { trouble: describeFailure(response.failure), ...(isFinal && { isFinal }) }
    }
    const { status } = response
    if (status < 200 || status >= 300) {
      const note = status >= 300 && status < 400 ? '; redirects are not followed' : ''
      const trouble = `${describeFailure({ kind: 'http', status })}${note}`
      return { status, trouble, ...(status < 500 && !RETRIED.includes(status) && { isFinal: true as const }) }
    }
    const json = parseJson(response.body)
    if (request.success && valueAt(json, request.success.name) !== request.success.value)
      return { status, trouble: 'the service did not accept the entry' }
    return { status, json }
  }

  return async ({ userId, destination, entry, sendId }, signal) => {
    const at = now()
    const fail = (trouble: string, rest: Pick<SendAttempt, 'status' | 'isFinal'> = {}): SendAttempt => ({
      at,
      trouble: withoutSecrets(trouble, destination.secrets ?? {}),
      ...rest,
    })
    const FINAL = { isFinal: true } as const
    if (destination.preset === FOLDER_PRESET.id) {
      if (!writeNote) return fail('this server has no folder for files', FINAL)
      const trouble = await writeNote(userId, entry)
      return trouble === undefined ? { at } : fail(trouble)
    }
    const preset = PRESETS.find(({ id }) => id === destination.preset)
    if (!preset) return fail('this version does not know the service', FINAL)
    if (!destination.secrets) return fail('its passwords and tokens cannot be decrypted: enter them again', FINAL)
    if (preset.needsUrl && !entry.url) return fail('the entry has no address', FINAL)
    let values: TemplateValues = { ...fieldValues(preset, destination), ...entryValues(entry, sendId) }
    if (preset.first) {
      const first = await perform(preset.first, values, signal)
      if ('trouble' in first) return fail(`login failed: ${first.trouble}`, first)
      const answers = Object.entries(preset.first.answer).map(([name, names]) => [name, firstText(first.json, names)])
      if (answers.some(([, value]) => value === '')) return fail('login failed: the response has no token', first)
      values = { ...values, ...Object.fromEntries(answers) }
    }
    const result = await perform(preset.request, values, signal)
    if ('trouble' in result) return fail(result.trouble, omitTrouble(result))
    return { at, status: result.status }
  }
}

function omitTrouble({ status, isFinal }: Pick<SendAttempt, 'status' | 'isFinal'>) {
  return { ...(status !== undefined && { status }), ...(isFinal && { isFinal }) }
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
