import { useEffect, useState } from 'preact/hooks'
import type { Actions } from './actions.ts'
import { type Language, say } from './i18n.ts'

/** The server's address. The page connects to what is typed here on Enter only. */
export function ServerAddress({ address, language, act }: { address: string; language: Language; act: Actions }) {
  const [text, setText] = useState(address)
  const [wrong, setWrong] = useState(false)
  useEffect(() => setText(address), [address])
  return (
    <form
      class="server"
      onSubmit={(event) => {
        event.preventDefault()
        setWrong(!act.connect(text))
      }}
    >
      <label for="server">{say(language, 'server')}</label>
      <input
        id="server"
        class="mono"
        value={text}
        title={say(language, 'serverHelp')}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={wrong}
        aria-describedby={wrong ? 'server-wrong' : undefined}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      {wrong && (
        <p id="server-wrong" class="wrong" role="alert">
          {say(language, 'badAddress')}
        </p>
      )}
    </form>
  )
}
