/** Mixed traffic on a real process under random faults; every invariant is checked continuously. */
import { setTimeout as wait } from 'node:timers/promises'
import { callAt } from '../support/http/call.ts'
import type { Call } from '../support/http/call.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { residentMiB } from '../support/process/resources.ts'
import { serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import type { ReceivedMail } from '../support/mail/smtp.ts'
import { pick, seeded } from './seeded.ts'
import { SoakUser } from './soak-user.ts'

const USERS = 8
/** Longest pause between two faults. */
const REST_MS = 4000
const DISK_MIB = 256
/** Time after a fault in which calls may still get 503. */
const HEALED_WITHIN_MS = 3000
/** The process is not restarted in the last part of a soak, so that its memory can be measured. */
const WATCHED_PART = 0.4
const HEAP_MIB = 128
/** Allowed growth of memory in that part; memory below `from` does not count as growth. */
const MAX_GROWTH = { factor: 1.2, miB: 20, from: 220 }
/** Clock change at a restart, forward or back: within the tolerance for `iat`. */
const CLOCK_STEP_MS = 25_000
const SECRET_FORM = /\bpls_\w{20,}|\beyJ[\w-]{10,}\.eyJ/

export type SoakResult = Readonly<{ counts: ReadonlyMap<string, number>; violations: readonly string[] }>

type Fault = 'kill -9' | 'restart, clock set' | 'SIGSTOP' | 'no SMTP server' | 'disk full'

/** @param databaseUrl of an empty PostgreSQL database; absent: an SQLite file */
export async function soak(seed: number, forMs: number, databaseUrl?: string): Promise<SoakResult> {
  const random = seeded(seed)
  const counts = new Map<string, number>()
  const count = (what: string, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by)
  const violations: string[] = []
  const violate = (what: string) => void violations.push(what)
  const secrets = new Set<string>()
  const links = new Map<string, string[]>()

  const disk = databaseUrl === undefined && cannotMount === false ? mountSmallDisk(DISK_MIB) : undefined
  const folder = temporaryFolder()
  const beforeAnswer = async ({ to, message }: ReceivedMail) => {
    count('mails')
    const [, link] = /\/auth\/verify\?token=([\w-]+)/.exec(message.text ?? '') ?? []
    if (link === undefined || to[0] === undefined) return
    secrets.add(link)
    links.set(to[0], [...(links.get(to[0]) ?? []), link])
  }
  let smtp = await startSmtp({ beforeAnswer })
  const env: Record<string, string> = {
    PORT: String(await freePort()),
    SMTP_URL: smtp.url,
    LOG_LEVEL: 'info',
    JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes',
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  secrets.add(env['JWT_SECRET'] ?? '')
  const clock = new URL('../support/faults/shifted-clock.ts', import.meta.url).href
  const start = async (shiftMs = 0) => {
    const shifted = {
      CLOCK_SHIFT_MS: String(shiftMs),
      NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB} --import=${clock}`,
    }
    const beganMs = performance.now()
    const started = await serveIn(disk?.path ?? folder.path, { ...env, ...shifted })
    if (performance.now() - beganMs > 15_000) violate('a start took more than 15 seconds')
    return started
  }
  let service: Served = await start()

  const beganMs = performance.now()
  const hasPassed = (part: number) => performance.now() - beganMs > forMs * part
  let faults = 0
  const under = { way: 0 }
  let healedAtMs = -Infinity
  const isFaulty = () => under.way > 0 || performance.now() - healedAtMs < HEALED_WITHIN_MS

  async function send(route: string, call: Call, isCut = false) {
    const before = isFaulty()
    const faultsBefore = faults
    const [name = ''] = route.replace(/[0-9a-f-]{36}/, ':id').split('?')
    const cut = isCut ? { signal: AbortSignal.timeout(1 + Math.floor(random() * 8)) } : {}
    const answer = await callAt(service.baseUrl, route, { ...call, ...cut }).catch(() => undefined)
    const isExcused = before || isFaulty() || faults !== faultsBefore
    count(`${name} ${answer?.status ?? (isCut ? 'cut' : 'lost')}`)
    if (answer === undefined && !isCut) {
      if (!isExcused) violate(`${name}: an answer was lost without a fault`)
      await wait(20)
    }
    if (answer === undefined) return undefined
    const isAway =
      answer.status === 503 && answer.body?.error.code === 'UNAVAILABLE' && answer.headers.has('retry-after')
    if (answer.status >= 500 && !(isAway && isExcused)) violate(`${name}: ${answer.status} ${answer.text}`)
    return answer
  }

  function searchLog(): void {
    const output = service.process.output()
    count('bytes of log', output.length)
    const found = SECRET_FORM.exec(output)?.[0] ?? output.match(/[\w-]{32,}/g)?.find((word) => secrets.has(word))
    if (found !== undefined) violate(`a secret is in the log: ${found.slice(0, 8)}…`)
  }

  async function restart(): Promise<void> {
    searchLog()
    service = await start(Math.round((random() - 0.5) * 2 * CLOCK_STEP_MS))
  }

  const inject: Record<Fault, () => Promise<void>> = {
    async 'kill -9'() {
      service.process.kill('SIGKILL')
      await service.process.exited
      await restart()
    },
    async 'restart, clock set'() {
      service.process.kill('SIGTERM')
      const { code } = await service.process.exited
      if (code !== 0) violate(`SIGTERM ended it with ${code}`)
      await restart()
    },
    async SIGSTOP() {
      service.process.kill('SIGSTOP')
      await wait(500 + random() * 2500)
      service.process.kill('SIGCONT')
    },
    async 'no SMTP server'() {
      const port = Number(new URL(smtp.url).port)
      smtp.cutConnections()
      await smtp.close()
      await wait(500 + random() * 3000)
      smtp = await startSmtp({ beforeAnswer }, port)
    },
    async 'disk full'() {
      disk?.fill()
      await wait(500 + random() * 2500)
      disk?.free()
    },
  }
  async function injectFaults(): Promise<void> {
    const kinds = (Object.keys(inject) as Fault[]).filter((kind) => kind !== 'disk full' || disk !== undefined)
    // Each kind once before one repeats: a short run has several.
    const recent = new Set<Fault>()
    while (!hasPassed(1)) {
      await wait(500 + random() * REST_MS)
      const isWatched = hasPassed(1 - WATCHED_PART)
      const possible = isWatched ? kinds.filter((each) => !/^(kill|restart)/.test(each)) : kinds
      if (possible.every((each) => recent.has(each))) recent.clear()
      const kind = pick(
        random,
        possible.filter((each) => !recent.has(each)),
      )
      if (kind === undefined || hasPassed(1)) return
      recent.add(kind)
      faults += 1
      under.way += 1
      await inject[kind]()
      count(`fault: ${kind}`)
      smtp.mails.length = 0
      healedAtMs = performance.now()
      under.way -= 1
    }
  }

  async function watchMemory(): Promise<void> {
    while (!hasPassed(1 - WATCHED_PART * 0.8) || under.way > 0) await wait(50)
    const warm = residentMiB(service.process)
    while (!hasPassed(1)) await wait(50)
    const last = residentMiB(service.process)
    count('MiB of memory, warm', Math.round(warm))
    count('MiB of memory, in the end', Math.round(last))
    if (last > Math.max(warm, MAX_GROWTH.from) * MAX_GROWTH.factor + MAX_GROWTH.miB)
      violate(`memory grew from ${Math.round(warm)} to ${Math.round(last)} MiB`)
  }

  try {
    const world = {
      send,
      violate,
      count,
      random,
      faults: () => faults,
      linksTo: (email: string) => links.get(email) ?? [],
      hide: (secret: string) => void secrets.add(secret),
      isOver: () => hasPassed(1) || violations.length > 20,
    }
    const users = Array.from({ length: USERS }, (_, n) => new SoakUser(world, `n${n}@soak.example`))
    await Promise.all([injectFaults(), watchMemory(), ...users.map((user) => user.live())])
    // Once more after a restart, when all faults are over.
    await inject['kill -9']()
    healedAtMs = -Infinity
    for (const user of users) await user.lookAgain()
    searchLog()
    return { counts, violations }
  } finally {
    service.process.kill('SIGKILL')
    await service.process.exited
    await smtp.close()
    disk?.remove()
    folder.remove()
  }
}
