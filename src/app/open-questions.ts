/** Who answers what the command line asks: the store that lies here, or the server that is named. */
import type { Config } from './config.ts'
import { farAnswers } from './far-answers.ts'
import { ownAnswers } from './own-answers.ts'
import type { Questions } from './questions.ts'
import { serverMeant } from './server-client.ts'
import { openForReading } from './wire.ts'

export async function openQuestions(config: Config): Promise<Questions> {
  const far = await serverMeant(config)
  return far ? farAnswers(far) : await ownAnswers(await openForReading(config), config)
}
