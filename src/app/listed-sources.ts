/**
 * Sources that are listed in freshet.toml, each a table:
 *
 *     [[sources]]
 *     url = "https://example.org"     a site, or a feed where feed = true
 *     name = "example"                by which it is known; no other has the same
 *     category = "technology"         in place of what its publisher says
 *     folder = "News"
 *     title-prefix = "Example: "      is taken off its headlines
 */
import type { Address } from '../crawl/index.ts'
import { type AboutFeed, LONGEST_ADDRESS, LONGEST_LABEL } from '../model/index.ts'
import { addressGiven, InputError } from './addresses.ts'

export type ListedSource = Address & { about: AboutFeed }

const NAME = /^[a-z][\w.-]{0,63}$/i
const KEYS = ['url', 'name', 'category', 'folder', 'title-prefix', 'feed']

/** `value`: what the file has under "sources". */
export function listedSources(value: unknown, file: string): ListedSource[] {
  if (value === undefined) return []
  if (!Array.isArray(value))
    throw new InputError(`sources in ${file} is not a list`, 'write each as a table: [[sources]]')
  const sources = value.map((table, i) => listedSource(table, `source ${i + 1} in ${file}`))
  const names = sources.flatMap(({ about }) => about.name ?? [])
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined)
    throw new InputError(`two sources in ${file} have the name ${twice}`, 'give each its own name')
  return sources
}

function listedSource(table: unknown, where: string): ListedSource {
  if (typeof table !== 'object' || table === null)
    throw new InputError(`${where} is not a table`, 'write it as [[sources]]')
  const given = new Map(Object.entries(table))
  const strange = [...given.keys()].find((key) => !KEYS.includes(key))
  if (strange !== undefined)
    throw new InputError(`${where} has an unknown key "${strange}"`, `known keys: ${KEYS.join(', ')}`)
  const text = (key: string): string | undefined => {
    const value = given.get(key)
    if (value === undefined) return undefined
    const longest = key === 'url' ? LONGEST_ADDRESS : LONGEST_LABEL
    if (typeof value === 'string' && value.length > 0 && value.length <= longest) return value
    throw new InputError(`${where}: ${key} must be a text of at most ${longest} characters`, `write ${key} = "…"`)
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
  const about = { ...(name && { name }), ...(category && { category }), ...(titlePrefix && { titlePrefix }) }
  return { ...addressGiven(url), kind: given.get('feed') === true ? 'feed' : 'any', ...(folder && { folder }), about }
}
