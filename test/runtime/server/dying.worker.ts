// The worker that matches run in, and ways to make it end: by words behind a command, or by the name of a match.
//
//     step 3 die              before it takes the command, each time
//     step 3 throw            with an error, when all is done, in place of the answer
//     step 3 once FILE        before, if there is no such file; then there is
//     step 3 after FILE       the same, but when all is done, in place of the answer
//     explain event 999       gets stuck, as if the action took far longer than when it was new
import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromWorker, ToWorker } from '../../../runtime/server/messages.ts'
import type { ThreadData } from '../../../runtime/server/thread.ts'
import { Writer } from '../../../runtime/server/whereabouts.ts'

const port = parentPort
if (port === null) throw new Error('this is no worker')
let last: 'exit' | 'throw' | undefined
const say = port.postMessage.bind(port)
port.postMessage = (said: readonly FromWorker[]) => {
  const answers = said.some(({ type }) => type === 'reply')
  if (answers && last === 'exit') process.exit(1)
  if (answers && last === 'throw') throw new Error('it went wrong')
  say(said)
}

function getStuck(request: number): never {
  const whereabouts = new Writer((workerData as ThreadData).shared)
  whereabouts.begin({ room: 1, request, action: 1 })
  whereabouts.at('question', 0, 1)
  for (;;);
}

port.on('message', (message: ToWorker) => {
  if (message.type === 'recover' && process.env.KILN_TEST_NO_RECOVERY === message.room.id) process.exit(1)
  if (message.type === 'snapshot' && message.id === 'die') process.exit(1)
  if (message.type === 'explain' && message.event === 999) getStuck(message.request)
  if (message.type !== 'submit' || !('text' in message.command)) return
  const found = /^(?<verb>.*) (?<how>die|throw|once|after)(?: (?<file>\S+))?$/.exec(message.command.text)?.groups
  if (found === undefined) return
  const { verb = '', how, file = '' } = found
  Object.assign(message.command, { text: verb })
  if (how === 'die') process.exit(1)
  if (how === 'throw') last = 'throw'
  if (file === '' || existsSync(file)) return
  writeFileSync(file, '')
  if (how === 'once') process.exit(1)
  last = 'exit'
})
await import('../../../runtime/server/worker.ts')
