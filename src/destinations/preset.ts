/** The form of presets: what a service needs to know, and the requests that send an entry to it. */
import type { JsonTemplate } from './template.ts'

export interface PresetField {
  name: string
  label: string
  /** address: of a server, with https:// or http://. */
  kind?: 'address'
  isSecret?: true
  isOptional?: true
  /** Used if the field is empty. */
  preset?: string
  /** One of these. */
  choices?: string[]
}

export interface PresetRequest {
  method: 'GET' | 'POST' | 'PUT'
  /** A template. A field of kind address may be at its start. */
  url: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** HTTP Basic authentication. */
  login?: { user: string; password: string }
  form?: Record<string, string>
  json?: JsonTemplate
  /** A status of 2xx, and this value in the JSON of the response; names of nested values are joined by dots. */
  success?: { name: string; value: string | number | boolean }
}

/** What users see of a preset. */
export interface PresetDescription {
  id: string
  name: string
  /** Where users find the values of the fields. */
  hint?: string
  fields: PresetField[]
}

export interface Preset extends PresetDescription {
  /** Entries without an address cannot be sent. */
  needsUrl?: true
  /** Comes first, such as a login. Values of its JSON response can be used in `request`; of several names, the first that exists. */
  first?: PresetRequest & { answer: Record<string, string[]> }
  request: PresetRequest
}
