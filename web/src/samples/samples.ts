import { curl } from './curl.ts'
import { go } from './go.ts'
import { php } from './php.ts'
import { python } from './python.ts'
import type { Sample } from './sample.ts'
import { typescript } from './typescript.ts'

export const samples: readonly Sample[] = [curl, typescript, python, php, go]
