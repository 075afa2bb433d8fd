// The shared buffer between host and guest, in 32-bit integers. Guests never call the host: everything crosses here.
//
//   header | fields | entries | directory | zeros | text | syms | catalogue | log | replica
//
// The host writes all but the log and the result words; the guest's kernel writes its own changes into its replica too.

/** Header words. */
export const H = {
  /** Index of the entry now running, -1 outside: names the culprit after a trip. */
  progress: 0,
  /** Integers in the log. */
  logEnd: 1,
  /** Local number + 1 of a table that was full. Sticky: looked at whether or not the crossing came back clean. */
  full: 2,
  /** What a called function of a mode returned. */
  result: 3,
  /** Local number of the event being delivered, or -1. */
  event: 4,
  /** Entries to run. */
  count: 5,
  seed: 6,
  modSeed: 7,
  players: 8,
  /** The catalogue's number: decoded data is kept while it stays the same. */
  catalogue: 10,
  /** Seat for views and bots; -1 is a spectator. */
  seat: 11,
  /** A number for bots: how many actions of this seat the match has taken. */
  n: 12,
  flags: 13,
  textLength: 14,
  /** The attach number that the next row gets. */
  attach: 15,
  /** Number of the full copy that the replica began with: what a guest remembers of rows is good for as long. */
  copy: 16,
  /** Number of the store of syms. */
  symStore: 17,
} as const

export const FLAG = {
  /** Nothing may be written: views, bots, invariants. */
  readOnly: 1,
  /** The event is a verb that a player submitted: `refuse` is allowed while it settles. */
  submitted: 2,
} as const

/** What an entry is. Each entry is three integers: function, row (ref) or 0, role. */
export const ROLE = { handler: 0, rule: 1, settle: 2, monitor: 3, call: 4 } as const
export const ENTRY = 3

export const FIELDS = 64
export const ENTRIES = FIELDS + 4096
export const ENTRIES_MAX = 2048
export const DIRECTORY = ENTRIES + ENTRIES_MAX * ENTRY
export const DIRECTORY_MAX = 4096
/** Columns that are missing or not granted read from here. */
export const ZEROS = DIRECTORY + DIRECTORY_MAX
export const ZEROS_MAX = 8192
/** JSON from the host (a config, kinds of definitions), one UTF-16 code unit per integer. */
export const TEXT = ZEROS + ZEROS_MAX
export const TEXT_AREA = 65536
/** Texts of syms: hash, length, code units, and so on. */
export const SYMS = TEXT + TEXT_AREA
export const SYMS_MAX = 32768
/** Where the text of a hash stands, plus one: at `hash % SYM_SLOTS` or in one of the next places that are not 0. */
export const SYM_INDEX = SYMS + SYMS_MAX
export const SYM_SLOTS = 16384
export const CATALOGUE = SYM_INDEX + SYM_SLOTS
export const CATALOGUE_MAX = 131072
export const LOG = CATALOGUE + CATALOGUE_MAX
export const LOG_MAX = 65536
export const REPLICA = LOG + LOG_MAX
export const REPLICA_MAX = 131072
export const SHARED_INTS = REPLICA + REPLICA_MAX

/** Log records start with `op | number << 4`. `v…` is a value of its type: one integer, or a length and as many. */
export const OP = {
  /** entry: what follows was done by it */
  entry: 1,
  /** directory slot, row, v… */
  set: 2,
  /** table, ref, definition or 0, count, (slot, v…)…, count, (name hash, length, ints…)… */
  add: 3,
  /** table, ref */
  remove: 4,
  /** field number, v… */
  field: 5,
  /** event, v… of each field */
  emit: 6,
  /** prompt, seat, count, ints… */
  ask: 7,
  /** text */
  cancel: 8,
  /** text */
  note: 9,
  /** text of the code, text of the message; a rule's denial or a settle's refusal */
  deny: 10,
  /** reason sym, count, seats… */
  finish: 11,
  /** hash, length, code units: a sym that the match may not know yet */
  sym: 12,
} as const

/** Kinds of texts and of their slots in the log. */
export const TEXT_KIND = { plain: 0, bilingual: 1, template: 2, data: 3 } as const
export const SLOT = { int: 0, text: 1, row: 2, def: 3, cell: 4, player: 5, none: 6, data: 7 } as const
