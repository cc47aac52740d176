/** What a process takes of the machine, as the operating system counts it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Served } from './served.ts'
import { stopwatch } from './stopwatch.ts'

type Process = Readonly<{ child: Readonly<{ pid?: number | undefined }> }>

/** The memory that a process holds now, in MiB. */
export function residentMiB({ child }: Process): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** How many descriptors a process has open: files, sockets and all else. */
export function openDescriptors({ child }: Process): number {
  return readdirSync(`/proc/${child.pid}/fd`).length
}

/** How many connections over IPv4 this machine has open to a port. */
export function connectionsTo(port: number): number {
  const toPort = new RegExp(`^ *\\d+: \\S+ [0-9A-F]{8}:${port.toString(16).toUpperCase().padStart(4, '0')} 01 `, 'gm')
  return readFileSync('/proc/net/tcp', 'utf8').match(toPort)?.length ?? 0
}

/** Lets a running process open at most this many descriptors; more again later. */
export function limitDescriptors({ child }: Process, count: number): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${count}:`])
}

/** Waits until a process has no more descriptors open than these. */
export async function untilDescriptors(of: Process, count: number): Promise<void> {
  for (const deadline = performance.now() + 60_000; openDescriptors(of) > count;) {
    if (performance.now() > deadline) throw new Error(`${openDescriptors(of)} descriptors stay open, not ${count}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Calls a service again and again until it is told to stop; each call must be answered with 200. */
export function callMeanwhile({ call, process }: Served, token: string) {
  const stopped = new AbortController()
  let calls = 0
  let slowestMs = 0
  const elapsed = stopwatch(process)
  const calling = (async () => {
    while (!stopped.signal.aborted) {
      const startMs = elapsed()
      const { status, text } = await call('GET /users/me', { token })
      if (status !== 200) throw new Error(`${status} ${text}`)
      slowestMs = Math.max(slowestMs, elapsed() - startMs)
      calls++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  // Whoever stops it hears of a failure.
  calling.catch(() => {})
  return async () => {
    stopped.abort()
    await calling
    return { calls, slowestMs }
  }
}
