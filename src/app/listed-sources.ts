/**
 * Parses the sources in freshet.toml. Each is a table:
 *
 *     [[sources]]
 *     url = "https://example.org"     a site, or a feed with feed = true
 *     name = "example"                a unique name for commands
 *     category = "technology"         overrides the publisher's category
 *     folder = "News"
 *     title-prefix = "Example: "      removed from the start of entry titles
 *
 * and settings for fetching (listed-fetching.ts).
 */
import type { Address } from '../crawl/index.ts'
import { type AboutFeed, MAX_ADDRESS_LENGTH, MAX_LABEL_LENGTH } from '../model/index.ts'
import { InputError, parseAddress } from './addresses.ts'
import { FETCHING_KEYS, parseListedFetching } from './listed-fetching.ts'

export type ListedSource = Address & { about: AboutFeed }

const NAME = /^[a-z][\w.-]{0,63}$/i
const KEYS = ['url', 'name', 'category', 'folder', 'title-prefix', 'feed', ...FETCHING_KEYS]

/** `value`: the value of "sources" in the file. */
export function parseListedSources(value: unknown, file: string): ListedSource[] {
  if (value === undefined) return []
  if (!Array.isArray(value))
    throw new InputError(`sources in ${file} is not a list`, 'write each as a table: [[sources]]')
  const sources = value.map((table, i) => parseListedSource(table, `source ${i + 1} in ${file}`))
  const names = sources.flatMap(({ about }) => about.name ?? [])
  const duplicate = names.find((name, i) => names.indexOf(name) < i)
  if (duplicate !== undefined)
    throw new InputError(`two sources in ${file} have the name ${duplicate}`, 'give each its own name')
  return sources
}

function parseListedSource(table: unknown, where: string): ListedSource {
  if (typeof table !== 'object' || table === null)
    throw new InputError(`${where} is not a table`, 'write it as [[sources]]')
  const values = new Map(Object.entries(table))
  const unknownKey = [...values.keys()].find((key) => !KEYS.includes(key))
  if (unknownKey !== undefined)
    throw new InputError(`${where} has an unknown key "${unknownKey}"`, `known keys: ${KEYS.join(', ')}`)
  const text = (key: string): string | undefined => {
    const value = values.get(key)
    if (value === undefined) return undefined
    const maxLength = key === 'url' ? MAX_ADDRESS_LENGTH : MAX_LABEL_LENGTH
    if (typeof value === 'string' && value.length > 0 && value.length <= maxLength) return value
    throw new InputError(`${where}: ${key} must be a text of at most ${maxLength} characters`, `write ${key} = "…"`)
  }
  const [url, name, category, folder, titlePrefix] = [
    text('url'),
    text('name'),
    text('category'),
    text('folder'),
    text('title-prefix'),
  ]
  if (url === undefined) throw new InputError(`${where} has no url`, 'write url = "https://…"')
  if (name !== undefined && !NAME.test(name))
    throw new InputError(
      `${where}: "${name}" is not a valid name`,
      'use letters, digits, ., _ and -, starting with a letter',
    )
  const fetching = parseListedFetching(values, where)
  const about = {
    ...(name && { name }),
    ...(category && { category }),
    ...(titlePrefix && { titlePrefix }),
    ...(fetching && { fetching }),
  }
  return { ...parseAddress(url), kind: values.get('feed') === true ? 'feed' : 'any', ...(folder && { folder }), about }
}
