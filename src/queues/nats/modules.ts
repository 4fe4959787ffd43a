/** The NATS client libraries, which only fleets need: loaded when a queue is opened. */
import { QueueError } from '../../ports/index.ts'

export interface NatsModules {
  core: typeof import('@nats-io/transport-node')
  jetstream: typeof import('@nats-io/jetstream')
  objects: typeof import('@nats-io/obj')
}

export async function loadNats(): Promise<NatsModules> {
  try {
    const [core, jetstream, objects] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
      import('@nats-io/obj'),
    ])
    return { core, jetstream, objects }
  } catch (error) {
    throw new QueueError(
      'a NATS queue is configured, but the NATS client is not installed',
      'npm install @nats-io/transport-node @nats-io/jetstream @nats-io/obj',
      { cause: error },
    )
  }
}
