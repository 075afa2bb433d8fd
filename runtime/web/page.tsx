import type { Actions } from './actions.ts'
import { Board } from './board.tsx'
import { CardsBoard } from './cards.tsx'
import { Header } from './header.tsx'
import { say } from './i18n.ts'
import { InputPanel } from './input.tsx'
import { Log } from './log.tsx'
import { ModsPanel } from './mods.tsx'
import { Notices } from './notices.tsx'
import { RequestBar } from './request.tsx'
import { ServerAddress } from './server.tsx'
import type { State } from './state.ts'
import { StatusList } from './status.tsx'

export function Page({ state, act }: { state: State; act: Actions }) {
  const { language, match, server, mods, log, explained, selected, changes, connection, stale } = state
  const view = match?.view
  const sidesAreSeats = view !== null && view !== undefined && view.sides.length === match?.players.length
  return (
    <>
      <Header state={state} act={act} />
      <aside class="left" aria-label={say(language, 'units')}>
        <StatusList
          status={view?.status ?? []}
          sides={view?.sides ?? []}
          panels={view?.panels}
          own={sidesAreSeats ? (server?.seat ?? null) : null}
          selected={selected}
          language={language}
          act={act}
        />
      </aside>
      <main class={stale ? 'stale' : ''}>
        <Notices state={state} act={act} />
        {view?.board.kind === 'grid' && (
          <Board
            board={view.board}
            status={view.status}
            selected={selected}
            changes={changes}
            language={language}
            act={act}
          />
        )}
        {view?.board.kind === 'cards' && (
          <CardsBoard board={view.board} selected={selected} language={language} act={act} />
        )}
      </main>
      <aside class="right" aria-label={say(language, 'log')}>
        <ModsPanel
          mods={mods}
          dev={server?.dev ?? false}
          online={connection.status === 'live'}
          language={language}
          act={act}
        />
        <Log lines={log} explained={explained} language={language} act={act} />
        <ServerAddress address={connection.address} language={language} act={act} />
        <InputPanel state={state} act={act} />
      </aside>
      <RequestBar state={state} />
    </>
  )
}
