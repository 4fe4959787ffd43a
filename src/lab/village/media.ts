/** Media files of a post: a recording, its transcript, a picture. Small, valid and reproducible. */
import { drawLandscape } from './drawing.ts'
import type { Post } from './history.ts'
import { escaped } from './markup.ts'
import type { Reply } from './reply.ts'

const SAMPLES_A_SECOND = 8000
const SECONDS = 2
const HEADER_BYTES = 44
export const POST_RECORDING = { type: 'audio/wav', bytes: HEADER_BYTES + SAMPLES_A_SECOND * SECONDS, seconds: SECONDS }
export const POST_PICTURE = { type: 'image/png', width: 720, height: 480 }
export const POST_THUMBNAIL = { width: 210, height: 140 }

export type MediaFile = 'wav' | 'vtt' | 'png'

/** Path from the site's root. */
export function mediaPath({ path }: Pick<Post, 'path'>, file: MediaFile): string {
  return `/media${path.split('?', 1)[0]}.${file}`
}

/** Path of the post that a file belongs to. */
export function postOfMedia(path: string): { path: string; file: MediaFile } | undefined {
  const [, post, file] = /^\/media(\/.{1,300})\.(wav|vtt|png)$/.exec(path) ?? []
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
      return reply(POST_RECORDING.type, recording())
    case 'vtt':
      return reply('text/vtt', transcript(post))
    case 'png': {
      const { width, height } = isSmall ? POST_THUMBNAIL : POST_PICTURE
      return reply(POST_PICTURE.type, drawLandscape(post.title, width, height))
    }
  }
}

/** A tone with eight bits per sample. */
function recording(): Uint8Array {
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
  for (let i = 0; i < samples; i++)
    file[HEADER_BYTES + i] = 128 + Math.round(60 * Math.sin((i * 440 * 2 * Math.PI) / SAMPLES_A_SECOND))
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
