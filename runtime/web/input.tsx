import { useEffect, useState } from 'preact/hooks'
import type { Request } from '../../sdk/protocol.ts'
import { type Actions, COMMAND_FIELD, keepWriting } from './actions.ts'
import { hints } from './command.ts'
import { type Language, read, say } from './i18n.ts'
import type { Input, State } from './state.ts'
import type { DrawnView } from './view.ts'

interface Props {
  readonly state: State
  readonly act: Actions
}

export function InputPanel({ state, act }: Props) {
  const { language, match, input, connection, server, stale } = state
  const request = match && !stale ? match.request : null
  const online = connection.status === 'live'
  return (
    <section class="input" aria-label={say(language, 'command')}>
      {request?.prompt && (
        <PromptForm key={request.prompt.id} prompt={request.prompt} online={online} language={language} act={act} />
      )}
      <CommandForm
        input={input}
        request={request}
        online={online}
        watching={online && server?.seat === null}
        language={language}
        act={act}
      />
      <Reply input={input} language={language} />
      {match?.view?.buttons && (
        <Buttons buttons={match.view.buttons} usable={online && !stale} language={language} act={act} />
      )}
    </section>
  )
}

interface CommandProps {
  readonly input: Input
  readonly request: Request | null
  readonly online: boolean
  /** The viewer has no seat. */
  readonly watching: boolean
  readonly language: Language
  readonly act: Actions
}

/** Hints shown in full, with their help, once so few are left. */
const FEW = 2

function CommandForm({ input, request, online, watching, language, act }: CommandProps) {
  const fitting = request ? hints(request, input.text) : []
  const detailed = input.text.trim() !== '' && fitting.length <= FEW
  return (
    <form
      class="command"
      onSubmit={(event) => {
        event.preventDefault()
        act.submit()
      }}
    >
      <div class="row">
        <input
          id={COMMAND_FIELD}
          class="mono"
          value={input.text}
          placeholder={say(language, watching ? 'spectating' : 'commandPlaceholder')}
          aria-label={say(language, 'command')}
          aria-describedby="hints"
          autocomplete="off"
          spellcheck={false}
          maxLength={4096}
          onInput={(event) => act.type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.isComposing) return
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
            event.preventDefault()
            act.recall(event.key === 'ArrowUp' ? 1 : -1)
          }}
        />
        <button type="submit" disabled={!online}>
          {say(language, 'send')}
        </button>
      </div>
      <ul id="hints" class={detailed ? 'hints detailed' : 'hints'}>
        {fitting.map((command) => (
          <li key={command.name}>
            <button
              type="button"
              title={read(language, command.help)}
              onPointerDown={keepWriting}
              onClick={() => {
                act.start(command)
                document.getElementById(COMMAND_FIELD)?.focus()
              }}
            >
              {detailed ? command.form : command.name}
            </button>
            {detailed && <span class="help">{read(language, command.help)}</span>}
          </li>
        ))}
      </ul>
    </form>
  )
}

function Reply({ input, language }: { input: Input; language: Language }) {
  const { notice, pending } = input
  return (
    <p class={`reply ${notice ? notice.tone : ''}`} role="status">
      {pending.length > 0
        ? say(language, 'waitingReply')
        : notice && (
            <>
              {notice.tone === 'good' ? '✓ ' : '✕ '}
              {read(language, notice.message) || say(language, 'accepted')}
              {notice.tone === 'bad' && notice.code && <span class="code"> {notice.code}</span>}
            </>
          )}
    </p>
  )
}

interface PromptProps {
  readonly prompt: NonNullable<Request['prompt']>
  readonly online: boolean
  readonly language: Language
  readonly act: Actions
}

/** One of many is a select; several are boxes to tick, numbered in the order in which they were ticked. */
function PromptForm({ prompt, online, language, act }: PromptProps) {
  const { id, options, pick } = prompt
  const [least, most] = pick
  const one = least === 1 && most === 1
  const [picked, setPicked] = useState<readonly number[]>([])
  // A server that opens the same question with other options would make the old choice mean something else.
  const shape = options.map(({ en }) => en).join('\n')
  useEffect(() => setPicked([]), [shape])
  const ready = picked.length >= least && picked.length <= most
  const toggle = (i: number) => setPicked(picked.includes(i) ? picked.filter((n) => n !== i) : [...picked, i])
  const label = least === most ? say(language, 'pickExactly', least) : say(language, 'pickRange', least, most)
  return (
    <form
      class="prompt"
      onSubmit={(event) => {
        event.preventDefault()
        if (ready) act.answer(id, picked, picked.map((i) => options[i]?.en ?? '').join(', '))
      }}
    >
      {one ? (
        <select
          aria-label={say(language, 'options')}
          value={picked[0] ?? ''}
          onChange={(event) => setPicked(event.currentTarget.value === '' ? [] : [Number(event.currentTarget.value)])}
        >
          <option value="">{say(language, 'choose')}</option>
          {options.map((option, i) => (
            <option key={`${i} ${option.en}`} value={i}>
              {read(language, option)}
            </option>
          ))}
        </select>
      ) : (
        <fieldset>
          <legend>{label}</legend>
          {options.map((option, i) => {
            const place = picked.indexOf(i)
            return (
              <label key={`${i} ${option.en}`} class={place >= 0 ? 'picked' : ''}>
                <input
                  type="checkbox"
                  checked={place >= 0}
                  disabled={place < 0 && picked.length >= most}
                  onChange={() => toggle(i)}
                />
                {read(language, option)}
                {place >= 0 && <span class="place">{place + 1}</span>}
              </label>
            )
          })}
        </fieldset>
      )}
      <button type="submit" class="main" disabled={!online || !ready}>
        {say(language, 'send')}
      </button>
    </form>
  )
}

interface ButtonsProps {
  readonly buttons: NonNullable<DrawnView['buttons']>
  readonly usable: boolean
  readonly language: Language
  readonly act: Actions
}
function Buttons({ buttons, usable, language, act }: ButtonsProps) {
  return (
    <div class="buttons">
      {buttons.map(({ label, command, main }, i) => (
        <button
          key={`${i} ${command}`}
          type="button"
          class={main ? 'main' : ''}
          title={command}
          disabled={!usable}
          onClick={() => act.send(command)}
        >
          {read(language, label)}
        </button>
      ))}
    </div>
  )
}
