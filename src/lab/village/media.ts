/** Media files of a post: a recording with its chapters and transcript, a picture. Small, valid and reproducible. */
import { drawLandscape } from './drawing.ts'
import type { Post } from './history.ts'
import { escaped } from './markup.ts'
import type { Reply } from './reply.ts'

/** The lowest rate that browsers play. */
const SAMPLES_A_SECOND = 3000
const SECONDS = 60
const HEADER_BYTES = 44
export const POST_RECORDING = { type: 'audio/wav', bytes: HEADER_BYTES + SAMPLES_A_SECOND * SECONDS, seconds: SECONDS }
export const POST_PICTURE = { type: 'image/png', width: 720, height: 480 }
export const POST_THUMBNAIL = { width: 210, height: 140 }

export type MediaFile = 'wav' | 'vtt' | 'chapters' | 'png'

/** Path from the site's root. */
export function mediaPath({ path }: Pick<Post, 'path'>, file: MediaFile): string {
  return `/media${path.split('?', 1)[0]}.${file === 'chapters' ? 'chapters.json' : file}`
}

/** Path of the post that a file belongs to. */
export function postOfMedia(path: string): { path: string; file: MediaFile } | undefined {
  const [, post, file] = /^\/media(\/.{1,300})\.(wav|vtt|chapters|png)(?:\.json)?$/.exec(path) ?? []
  return post === undefined ? undefined : { path: post, file: file as MediaFile }
}

export function mediaReply(post: Post, file: MediaFile, isSmall: boolean): Reply {
  const reply = (type: string, body: string | Uint8Array): Reply => ({
    status: 200,
    headers: { 'content-type': type },
    body,
    manner: 'plain',
  })
  switch (file) {
    case 'wav':
      return reply(POST_RECORDING.type, recording(chaptersOf(post).length))
    case 'vtt':
      return reply('text/vtt', transcript(post))
    case 'chapters':
      return reply('application/json+chapters', chapters(post))
    case 'png': {
      const { width, height } = isSmall ? POST_THUMBNAIL : POST_PICTURE
      return reply(POST_PICTURE.type, drawLandscape(post.title, width, height))
    }
  }
}

/** One for each paragraph, named by its first words. */
export function chaptersOf({ paragraphs }: Pick<Post, 'paragraphs'>): { seconds: number; title: string }[] {
  return paragraphs.map((paragraph, i) => ({
    seconds: Math.floor((i * SECONDS) / paragraphs.length),
    title: paragraph
      .split(/\s+/)
      .slice(0, TITLE_WORDS)
      .join(' ')
      .replace(/[\s,;:.]+$/, ''),
  }))
}

const TITLE_WORDS = 6

/** As in show notes: "0:15 A topic". */
export function chapterLine({ seconds, title }: { seconds: number; title: string }): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ${title}`
}

/** The format of podcasts: JSON Chapters 1.2. */
function chapters(post: Post): string {
  const list = chaptersOf(post).map(({ seconds, title }) => ({ startTime: seconds, title }))
  return JSON.stringify({ version: '1.2.0', chapters: list })
}

/** A tone with eight bits per sample, higher in each chapter. */
function recording(chapterCount: number): Uint8Array {
  const samples = SAMPLES_A_SECOND * SECONDS
  const file = Buffer.alloc(HEADER_BYTES + samples)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(HEADER_BYTES - 8 + samples, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLES_A_SECOND, 24)
  file.writeUInt32LE(SAMPLES_A_SECOND, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples, 40)
  for (let i = 0; i < samples; i++) {
    const hertz = 220 + 55 * Math.floor((i * chapterCount) / samples)
    file[HEADER_BYTES + i] = 128 + Math.round(30 * Math.sin((i * hertz * 2 * Math.PI) / SAMPLES_A_SECOND))
  }
  return file
}

function transcript({ author, paragraphs }: Post): string {
  const time = (second: number) =>
    `00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000`
  const cues = paragraphs.map(
    (paragraph, i) => `${time(i * 7)} --> ${time(i * 7 + 7)}\n<v ${author}>${escaped(paragraph)}\n`,
  )
  return `WEBVTT\n\n${cues.join('\n')}`
}
