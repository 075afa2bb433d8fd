import type { LogLine, Request } from '../../sdk/protocol.ts'

/** What a person can do on the page; `main.tsx` puts it together from state, line and document. */
export interface Actions {
  select(id: string | null): void
  /** A click on a piece or card: named in the command while one is being written, selected otherwise. */
  pickPiece(id: string): void
  pickCell(x: number, y: number): void
  type(text: string): void
  start(command: Request['commands'][number]): void
  recall(step: 1 | -1): void
  /** Sends what is in the command field. */
  submit(): void
  send(text: string): void
  answer(prompt: string, picked: readonly number[], text: string): void
  reload(mod: string): void
  /** Shows why a line of the log says what it says, or hides it again. */
  explain(line: LogLine): void
  switchLanguage(): void
  takeSeat(seat: number | null): void
  /** Returns false if that is no address. */
  connect(address: string): boolean
  retry(): void
}

/** The command field's id: the board looks whether it has the focus. */
export const COMMAND_FIELD = 'command'

export function isWriting(): boolean {
  return document.activeElement?.id === COMMAND_FIELD
}

/** For `pointerdown` on what can be named in a command: the field keeps the focus. */
export function keepWriting(event: Event): void {
  if (isWriting()) event.preventDefault()
}
