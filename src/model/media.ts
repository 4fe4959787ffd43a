/**
 * What an entry carries besides its text: files and pictures, tags, people, comments, a location, a license, podcast metadata.
 * Stated by the publisher, with lengths limited by the parser; nothing was fetched. Only `imported` is ours.
 */
import type { WebAddress } from './address.ts'
import type { Millis } from './time.ts'

export interface EntryExtras {
  /** In the publisher's order; alternative formats of one thing are separate items. */
  media?: Medium[]
  /** As written, without duplicates. */
  tags?: string[]
  /** Authors first. */
  people?: EntryPerson[]
  comments?: { url?: WebAddress; feedUrl?: WebAddress; count?: number }
  place?: { latitude: number; longitude: number }
  /** Its address, else its name or text. */
  licence?: string
  podcast?: Episode
  /** It came from another reader instead of its feed: it did not arrive when it was stored. */
  imported?: true
}

export interface Medium {
  url: WebAddress
  kind: MediumKind
  /** As the publisher states it, such as audio/mpeg. */
  type?: string
  bytes?: number
  durationMs?: Millis
  width?: number
  height?: number
  title?: string
  /** A picture for another medium: the still of a video, the cover of an episode. */
  preview?: true
  /** The publisher's first choice among alternative formats. */
  preferred?: true
}

export type MediumKind = 'audio' | 'video' | 'image' | 'document' | 'other'

export interface EntryPerson {
  name?: string
  email?: string
  url?: WebAddress
  /** `author`, `contributor`, or the publisher's own word: host, guest ... */
  role: string
  image?: WebAddress
}

export interface Episode {
  durationMs?: Millis
  season?: number
  number?: number
  explicit?: boolean
  chaptersUrl?: WebAddress
  transcripts?: Transcript[]
}

export interface Transcript {
  url: WebAddress
  type?: string
  language?: string
}

const EXTRAS = ['media', 'tags', 'people', 'comments', 'place', 'licence', 'podcast', 'imported'] as const

/** Undefined if there are none. */
export function extrasOf(entry: EntryExtras): EntryExtras | undefined {
  const extras: EntryExtras = {}
  for (const name of EXTRAS) if (entry[name] !== undefined) Object.assign(extras, { [name]: entry[name] })
  return Object.keys(extras).length > 0 ? extras : undefined
}

/** Decides by MIME type, else by the feed's `medium`, else by file extension. */
export function mediumKind(type: string | undefined, medium: string | undefined, url: string): MediumKind {
  const [, stated] =
    /^\s*(audio|video|image)\b/i.exec(type ?? '') ?? /^\s*(audio|video|image)\s*$/i.exec(medium ?? '') ?? []
  if (stated !== undefined) return stated.toLowerCase() as MediumKind
  if (
    /^\s*(?:text\/|application\/(?:pdf|epub|msword|rtf|vnd\.))/i.test(type ?? '') ||
    /^\s*document\s*$/i.test(medium ?? '')
  )
    return 'document'
  const [, extension = ''] = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url) ?? []
  return EXTENSIONS.get(extension.toLowerCase()) ?? 'other'
}

const EXTENSIONS = new Map<string, MediumKind>(
  Object.entries({
    audio: 'mp3 m4a m4b ogg oga opus aac wav flac',
    video: 'mp4 m4v webm mov mkv ogv avi mpg mpeg',
    image: 'jpg jpeg png gif webp avif svg bmp heic',
    document: 'pdf epub doc docx odt rtf txt',
  }).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as MediumKind] as const)),
)

/** The picture to show with the entry: the largest, weighted towards the publisher's preference. */
export function bestPicture(media: readonly Medium[] | undefined): Medium | undefined {
  let best: Medium | undefined
  for (const medium of media ?? []) {
    if (medium.kind !== 'image' || isSpeck(medium)) continue
    if (best === undefined || pictureWorth(medium) > pictureWorth(best)) best = medium
  }
  return best
}

/** The picture for a row of a list: the smallest that is still sharp there, else the best. */
export function smallPicture(media: readonly Medium[] | undefined): Medium | undefined {
  const sharp = (media ?? []).filter((medium) => medium.kind === 'image' && widthOf(medium) >= SHARP_ROW_WIDTH)
  return sharp.length > 0 ? sharp.reduce((a, b) => (widthOf(b) < widthOf(a) ? b : a)) : bestPicture(media)
}

function widthOf({ width, preview }: Medium): number {
  return width ?? (preview ? USUAL_PREVIEW_WIDTH : USUAL_WIDTH)
}

/** A tracking pixel. */
function isSpeck({ width = SPECK + 1, height = SPECK + 1 }: Medium): boolean {
  return Math.min(width, height) <= SPECK
}

const SPECK = 3
const USUAL_WIDTH = 640
const USUAL_PREVIEW_WIDTH = 320
const USUAL_PICTURE = USUAL_WIDTH * 480
const USUAL_PREVIEW = USUAL_PREVIEW_WIDTH * 180
/** A row shows 96 pixels, which are up to 192 on the screen; 140 look sharp. */
const SHARP_ROW_WIDTH = 140

function pictureWorth({ width, height, preview, preferred }: Medium): number {
  const usual = preview ? USUAL_PREVIEW : USUAL_PICTURE
  const area = width !== undefined && height !== undefined ? width * height : width !== undefined ? width ** 2 : usual
  return preferred ? area * 4 : area
}

/** The audio or video to play: the publisher's preference, else the first. */
export function recordingOf(media: readonly Medium[] | undefined): Medium | undefined {
  const recordings = (media ?? []).filter(({ kind }) => kind === 'audio' || kind === 'video')
  return recordings.find(({ preferred }) => preferred) ?? recordings[0]
}
