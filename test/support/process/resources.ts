/** A process's resources, as the operating system counts them. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Served } from './served.ts'
import { stopwatch } from './stopwatch.ts'

type Process = Readonly<{ child: Readonly<{ pid?: number | undefined }> }>

export function residentMiB({ child }: Process): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

export function openDescriptors({ child }: Process): number {
  return readdirSync(`/proc/${child.pid}/fd`).length
}

/** Established IPv4 connections on this machine to a port. */
export function connectionsTo(port: number): number {
  const toPort = new RegExp(`^ *\\d+: \\S+ [0-9A-F]{8}:${port.toString(16).toUpperCase().padStart(4, '0')} 01 `, 'gm')
  return readFileSync('/proc/net/tcp', 'utf8').match(toPort)?.length ?? 0
}

/** Limits the descriptors of a running process; a later call can raise the limit again. */
export function limitDescriptors({ child }: Process, count: number): void {
  execFileSync('prlimit', ['--pid', String(child.pid), `--nofile=${count}:`])
}

/** Waits until a process has at most `count` descriptors open. */
export async function untilDescriptors(of: Process, count: number): Promise<void> {
  for (const deadline = performance.now() + 60_000; openDescriptors(of) > count;) {
    if (performance.now() > deadline) throw new Error(`${openDescriptors(of)} descriptors stay open, not ${count}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Calls a service repeatedly until stopped; each call must get 200. */
export function startCallLoop({ call, process }: Served, token: string) {
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
  // `stop` rethrows a failure.
  calling.catch(() => {})
  return async () => {
    stopped.abort()
    await calling
    return { calls, slowestMs }
  }
}
