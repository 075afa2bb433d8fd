// Must be imported before any schema is made: zod otherwise tries `new Function`, which the page's policy reports.
import { config } from 'zod'

config({ jitless: true })
