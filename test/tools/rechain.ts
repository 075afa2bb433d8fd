// A journal that someone wrote anew, with sums and chain that fit: only playing it can tell.
import { firstLink, type Header, type JournalRecord, link } from '../../runtime/match/journal.ts'
import { readJournal, writeJournal } from '../../runtime/match/journal-file.ts'

export function chainedAgain(
  text: string,
  change: (header: Header) => Header,
  changeRecord: (record: JournalRecord) => JournalRecord = (record) => record,
): string {
  const { journal, bundles } = readJournal(text, 'j')
  const header = change(journal.header)
  let chain = firstLink(header)
  const records = journal.records.map((record) => {
    const changed = changeRecord(record)
    chain = link(chain, changed)
    return { ...changed, chain }
  })
  return writeJournal({ header, records }, bundles)
}
