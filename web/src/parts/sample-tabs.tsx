/** The samples of a first call, a tab for each language. */
import { useState } from 'preact/hooks'
import { inLanguage } from '../language.ts'
import type { Sample, Values } from '../samples/sample.ts'
import { samples } from '../samples/samples.ts'
import { storage } from '../storage.ts'
import { Copy } from './copy.tsx'
import { Tabs } from './tabs.tsx'

const words = inLanguage({
  en: {
    language: 'Language',
    run: 'Run it:',
    client: [
      'The client is in the folder ',
      ' of the service’s repository: ',
      ', then ',
      ' with the file that it writes.',
    ] as const,
  },
  ro: {
    language: 'Limbaj',
    run: 'Rulează-l:',
    client: [
      'Clientul este în folderul ',
      ' din repository-ul serviciului: ',
      ', apoi ',
      ' cu fișierul rezultat.',
    ] as const,
  },
})

const CHOSEN = 'sample'

type Extra = Readonly<{ name: string; label: string; text: string }>

/** @param first a tab before those of the languages */
export function SampleTabs({ values, first }: Readonly<{ values: Values; first?: Extra }>) {
  const names = [...(first ? [first.name] : []), ...samples.map(({ language }) => language)]
  const [chosen, setChosen] = useState(() => names.find((name) => name === storage.read(CHOSEN)) ?? names[0] ?? '')
  const sample = samples.find(({ language }) => language === chosen)
  return (
    <Tabs
      label={words.language}
      tabs={names}
      chosen={chosen}
      onChoose={(name) => {
        storage.write(CHOSEN, name)
        setChosen(name)
      }}
    >
      {sample ? (
        <>
          <Copy key={chosen} label={sample.file} text={sample.program(values)} hasBar isProgram />
          <HowToRun sample={sample} />
        </>
      ) : (
        first && <Copy key={chosen} label={first.label} text={first.text} hasBar />
      )}
    </Tabs>
  )
}

function HowToRun({ sample: { language, run } }: Readonly<{ sample: Sample }>) {
  const [folder, repository, then, file] = words.client
  return (
    <p class="soft small">
      {words.run} <code>{run}</code>
      {language === 'TypeScript' && (
        <>
          . {folder}
          <code>sdk</code>
          {repository}
          <code>npm pack ./sdk</code>
          {then}
          <code>npm install</code>
          {file}
        </>
      )}
    </p>
  )
}
