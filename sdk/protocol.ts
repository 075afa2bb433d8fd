// Every message between server and client: one union each way, checked where it comes in. Both the page and the server
// depend on this file and on nothing of each other.
import * as z from 'zod'

/** Raised when an older client could no longer understand what it gets. */
export const PROTOCOL = 1

/** A text in both languages, already rendered. */
export const bilingual = z.strictObject({ en: z.string(), zh: z.string() })
export type Bilingual = z.infer<typeof bilingual>

const seat = z.int().min(0).max(63)

export const clientMessage = z.discriminatedUnion('type', [
  /** First message. `seat` null is a spectator; `matchId` absent: the newest match, and its successors. */
  z.strictObject({
    type: z.literal('hello'),
    protocol: z.int(),
    seat: seat.nullable(),
    matchId: z.string().max(64).optional(),
  }),
  /** A verb in its text form, as typed or put together by the page. */
  z.strictObject({ type: z.literal('command'), requestId: z.int(), text: z.string().max(4096) }),
  /** An answer to a prompt: indices into its options. */
  z.strictObject({
    type: z.literal('answer'),
    requestId: z.int(),
    prompt: z.string().max(64),
    picked: z.array(z.int().min(0)).max(64),
  }),
  /** Dev: build and load a mod again even if nothing changed. */
  z.strictObject({ type: z.literal('reload'), requestId: z.int(), mod: z.string().max(64) }),
  /** Why an event was as it was; answered by `explanation`, or by a `reply` that refuses. */
  z.strictObject({ type: z.literal('explain'), requestId: z.int(), action: z.int().min(0), event: z.int().min(1) }),
  /** Answered by `pong`: a page cannot see the pings of WebSocket itself, so it could not tell a dead line from a quiet one. */
  z.strictObject({ type: z.literal('ping') }),
])
export type ClientMessage = z.infer<typeof clientMessage>

/** Where a mod has an error, in its own source. */
export const modError = z.object({
  code: z.string(),
  message: z.string(),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  frame: z.string().optional(),
})
/** A function of a mod that failed while it ran. */
export const modFault = modError.extend({
  /** What ran: `rage/Rage on tactics/Damage`. */
  handler: z.string(),
  /** Faults of the mod since its generation went live. */
  count: z.int(),
})
export type ModFault = z.infer<typeof modFault>
export const modStatus = z.object({
  id: z.string(),
  version: z.string(),
  name: bilingual,
  generation: z.int(),
  hash: z.string(),
  state: z.enum(['live', 'staging', 'failed', 'waiting', 'quarantined', 'refused', 'dormant']),
  error: modError.nullable(),
  /** The last one in the newest match since this generation went live. */
  fault: modFault.nullable().optional(),
  /** `ms`: from the first hint of the watcher until live; `from` and `to` are generations. */
  lastSwap: z.object({ ms: z.number(), from: z.int(), to: z.int() }).nullable(),
})
export type ModStatus = z.infer<typeof modStatus>

export const request = z.object({
  /** What the viewer is asked, in large type along the bottom. */
  text: bilingual,
  /** The viewer may act now. */
  yours: z.boolean(),
  prompt: z.object({ id: z.string(), options: z.array(bilingual), pick: z.tuple([z.int(), z.int()]) }).nullable(),
  /** Commands that the phase takes: `move <unit> <UDLR…>`. */
  commands: z.array(z.object({ name: z.string(), form: z.string(), help: bilingual })),
})
export type Request = z.infer<typeof request>

// -- provenance ------------------------------------------------------------------------------------------------------------

/** Something that was changed, in the words of a person: `k1.hp`, `amount`. */
const change = z.object({ name: z.string(), before: z.string(), after: z.string() })
/** One function that ran for an event. */
const explainedHandler = z.object({
  mod: z.string(),
  /** The definition, `rule NAME`, or `settle EVENT`. */
  name: z.string(),
  role: z.enum(['handler', 'rule', 'settle', 'monitor', 'call']),
  /** Of a handler. */
  priority: z.string(),
  /** In the mod's TypeScript. */
  place: z.object({ file: z.string(), line: z.int(), column: z.int() }).nullable(),
  /** Of the event; `by` is the difference, of an integer. */
  fields: z.array(change.extend({ by: z.int().nullable() })),
  writes: z.array(change.extend({ what: z.enum(['set', 'add', 'remove']) })),
  notes: z.array(bilingual),
  emits: z.array(z.string()),
  cancelled: bilingual.nullable(),
  fault: z.string().nullable(),
})
export type ExplainedHandler = z.infer<typeof explainedHandler>
/** What became of an event and why, with all that it caused. */
export const explanation = z.object({
  action: z.int(),
  /** Number of the event in its action; 0 for a function of the mode. */
  n: z.int(),
  event: z.string(),
  /** Who emitted it. */
  by: z.string(),
  /** The events that led to it, the first cause first. */
  chain: z.array(z.object({ n: z.int(), event: z.string(), by: z.string() })),
  /** As it was emitted. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  /** What handlers made of those fields that they changed. */
  became: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Why it was not delivered. */
  dropped: z.string().nullable(),
  handlers: z.array(explainedHandler),
  /**
   * Calls into sandboxes, in order: microseconds by the clock, and steps as the engine counts them. Left out where they could
   * tell a viewer what it may not know.
   */
  crossings: z.array(z.object({ mod: z.string(), us: z.int(), fuel: z.int() })),
  get caused(): z.ZodArray<typeof explanation> {
    return z.array(explanation)
  },
  /** Events among those that it caused which are too many to be told. */
  left: z.int(),
})
export type Explanation = z.infer<typeof explanation>

export const serverMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    address: z.string(),
    seat: seat.nullable(),
    dev: z.boolean(),
    /** Milliseconds since 1970 by the server's clock. */
    now: z.number(),
  }),
  /** The whole view; sent after every action, coalesced. `seq` rises by one with each message of a match to this client. */
  z.object({
    type: z.literal('view'),
    matchId: z.string(),
    seq: z.int(),
    mode: z.string(),
    modeName: bilingual,
    seed: z.int(),
    action: z.int(),
    /** Of what the viewer may know; empty while players plan and it was not known before. */
    hash: z.string(),
    phase: z.string(),
    players: z.array(
      z.object({
        seat,
        name: z.string(),
        bot: z.string().nullable(),
        ready: z.boolean(),
        /** The match waits for this seat. */
        asked: z.boolean(),
        /** When its time to answer is up, in milliseconds since 1970 by the server's clock; null: it has as long as it likes. */
        due: z.number().nullable(),
      }),
    ),
    /** A `View` of sdk/view.ts whose texts are `Bilingual`. */
    view: z.record(z.string(), z.unknown()),
    request,
    result: z.object({
      status: z.enum(['running', 'finished', 'stopped', 'paused']),
      winners: z.array(seat),
      reason: z.string(),
      /** The reason, for people. */
      text: bilingual,
    }),
  }),
  z.object({
    type: z.literal('log'),
    matchId: z.string(),
    seq: z.int(),
    /** The client drops what it has of this match first. */
    reset: z.boolean(),
    lines: z.array(
      z.object({
        n: z.int(),
        action: z.int(),
        /** The event it tells of, by its number in the action; 0 if of none. */
        event: z.int(),
        text: bilingual,
        tone: z.enum(['event', 'note', 'cancel', 'swap', 'fault', 'result']),
      }),
    ),
  }),
  z.object({
    type: z.literal('mods'),
    watch: z.enum(['events', 'polling', 'degraded', 'off']),
    mods: z.array(modStatus),
  }),
  z.object({ type: z.literal('reply'), requestId: z.int(), ok: z.boolean(), code: z.string(), message: bilingual }),
  /** The answer to `explain`; one that is refused gets a `reply`. */
  z.object({ type: z.literal('explanation'), requestId: z.int(), explanation }),
  z.object({ type: z.literal('pong') }),
  /** The connection ends after this. */
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
])
export type ServerMessage = z.infer<typeof serverMessage>
export type LogLine = Extract<ServerMessage, { type: 'log' }>['lines'][number]
