/** What a disk may hold after a power cut, from a trace of the writes and syncs before. */
import type { DiskEvent } from './disk-trace.ts'

/** What the kernel writes back at a time. */
const BLOCK = 4096
/** What a disk writes at a time. */
const SECTOR = 512
/** Share of the surviving blocks that are torn. */
const TORN = 0.25

type Change = Exclude<DiskEvent, { kind: 'sync' }>

const EMPTY = Buffer.alloc(BLOCK)

/** One file. Cuts must be made in ascending order. */
export class CutFile {
  readonly #changes: readonly Change[]
  readonly #syncs: readonly DiskEvent[]
  #durable: Buffer = Buffer.alloc(1024 * BLOCK)
  #durableSize = 0
  #settledChanges = 0
  #settledSyncs = 0

  /** @param events of this file, in the order in which they ended */
  constructor(events: readonly DiskEvent[]) {
    this.#changes = events.filter((event) => event.kind !== 'sync')
    this.#syncs = events.filter((event) => event.kind === 'sync')
  }

  /**
   * The content after a power cut. Changes that ended before the start of a completed sync are there. Each block of later
   * ones independently has any of its contents since, or a mix of two; the size is any since.
   * @param survival probability from 0 to 1 that an unsynced block or size changes at all
   */
  cutAt(cutNs: number, survival: number, random: () => number): Buffer {
    this.#settle(cutNs)
    const blocks = new Map<number, Buffer[]>()
    const sizes = [this.#durableSize]
    for (let index = this.#settledChanges; index < this.#changes.length; index += 1) {
      const change = this.#changes[index] as Change
      if (change.beganNs <= cutNs) this.#addVersions(change, blocks, sizes)
    }
    const pickOf = (count: number) => (random() < survival ? Math.ceil(random() * (count - 1)) : 0)
    const size = sizes[pickOf(sizes.length)] as number
    const content = Buffer.alloc(size)
    this.#durable.copy(content, 0, 0, Math.min(size, this.#durableSize))
    for (const [block, versions] of blocks) {
      const newer = pickOf(versions.length)
      const older = Math.floor(random() * (newer + 1))
      const sectors = random() < TORN ? Math.floor((random() * BLOCK) / SECTOR) : BLOCK / SECTOR
      if (block * BLOCK >= size) continue
      versions[older]?.copy(content, block * BLOCK)
      versions[newer]?.copy(content, block * BLOCK, 0, sectors * SECTOR)
    }
    return content
  }

  /** The content if no power is ever cut. No cut may follow. */
  whole(): Buffer {
    while (this.#settledChanges < this.#changes.length) this.#applyNext()
    return this.#durable.subarray(0, this.#durableSize)
  }

  #settle(cutNs: number): void {
    for (;;) {
      const sync = this.#syncs[this.#settledSyncs]
      if (sync === undefined || sync.endedNs > cutNs) return
      this.#settledSyncs += 1
      while ((this.#changes[this.#settledChanges]?.endedNs ?? Infinity) < sync.beganNs) this.#applyNext()
    }
  }

  #applyNext(): void {
    const change = this.#changes[this.#settledChanges] as Change
    this.#settledChanges += 1
    const size = sizeAfter(change, this.#durableSize)
    if (size > this.#durable.length) {
      const larger = Buffer.alloc(size * 2)
      this.#durable.copy(larger)
      this.#durable = larger
    }
    if (change.kind === 'write') change.data.copy(this.#durable, change.offset)
    this.#durable.fill(0, size, Math.max(size, this.#durableSize))
    this.#durableSize = size
  }

  #addVersions(change: Change, blocks: Map<number, Buffer[]>, sizes: number[]): void {
    const before = sizes.at(-1) as number
    const size = sizeAfter(change, before)
    if (size !== before) sizes.push(size)
    // A smaller file has zeros where it grows again.
    const [begin, data] = change.kind === 'write' ? [change.offset, change.data] : [size, undefined]
    const end = data === undefined ? before : begin + data.length
    for (let block = Math.floor(begin / BLOCK); block * BLOCK < end; block += 1) {
      const versions = blocks.get(block) ?? [this.#durableBlock(block)]
      blocks.set(block, versions)
      const version = Buffer.from(versions.at(-1) ?? EMPTY)
      const from = Math.max(0, begin - block * BLOCK)
      if (data === undefined) version.fill(0, from)
      else data.copy(version, from, Math.max(0, block * BLOCK - begin))
      versions.push(version)
    }
  }

  #durableBlock(block: number): Buffer {
    const version = Buffer.alloc(BLOCK)
    this.#durable
      .subarray(0, this.#durableSize)
      .subarray(block * BLOCK)
      .copy(version)
    return version
  }
}

function sizeAfter(change: Change, before: number): number {
  if (change.kind === 'write') return Math.max(before, change.offset + change.data.length)
  return change.kind === 'resize' ? change.size : 0
}
