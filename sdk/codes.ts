// What the kernel says to a mod that uses the SDK wrongly: the first word of the error's message. One line of meaning each;
// docs/errors.md has more.

export const GUEST_CODES = {
  BAD_CELL: 'a cell has coordinates that are no whole numbers from -32,767 to 32,767',
  BAD_DATA: 'data of a definition holds what is neither JSON, a cell nor a definition',
  BAD_HANDLER: 'a handler, rule or settle function is no function, or its priority is none',
  BAD_MODE: 'a mode lacks a part, or names a phase that it does not have',
  BAD_NAME: 'a column, field or datum has a name that it cannot have',
  BAD_PHASE: 'next() returned what is no phase of the mode',
  BAD_TEXT: 'a text is neither a string, nor { en, zh }, nor a template',
  BAD_TYPE: 'a type of the schema language is due, or one that fits this place',
  BAD_VALUE: 'a value is not of the type that its column, field or argument has',
  FOREIGN_EMIT: 'an event was emitted that only the runtime emits',
  FOREIGN_PROMPT: 'a prompt was asked by another mod than the one that declares it',
  FOREIGN_SETTLE: 'an event is settled by another mod than the one that declares it',
  FOREIGN_WRITE: 'a row, table or stream of another mod was written to',
  LANDED: 'an event that has landed was changed or cancelled',
  LIST_FULL: 'a list has more entries than its type allows',
  MISSING_COLUMN: 'a row was added without a column that has no initial value',
  MISSING_FIELD: 'an event was emitted without a field that has no initial value',
  NOT_EXPORTED: 'a definition was made otherwise than by `export const Name = define…(…)`',
  NOT_OWN: 'a definition or a mode was made in the vocabulary of another mod',
  NOT_SUBMITTED: 'refuse was called where no verb that a player sent is settling',
  NO_COLUMN: 'a column was named that the table or definition does not have',
  NO_FIELD: 'a field was given that the event does not have',
  OUTSIDE: 'tables, data and emit were used while a mod is loaded, outside a match',
  READ_ONLY: 'something was written where one may only read, or that cannot be changed',
  RETURNED: 'a handler returned a value (an async one returns a promise)',
  STALE_ROW: 'a row was used that has been removed',
  TABLE_FULL: 'a table has no room: the host makes it and runs the handler again',
  TOO_LATE: 'definitions and handlers are made while a mod is loaded, not later',
  TOO_MUCH: 'more handlers, columns or writes than a mod or a crossing may have',
  TWICE: 'one thing was declared twice',
} as const satisfies Record<string, string>

export type GuestCode = keyof typeof GUEST_CODES
