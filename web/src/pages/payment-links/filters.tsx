import type { RefObject } from 'preact'
import { MAX_DISPLAY_LENGTH } from '../../parts/display-text.ts'
import { SearchMark } from '../../parts/icons.tsx'
import { words } from '../payment-links.words.ts'
import type { LinkStatus } from './links.ts'
import type { useLinks } from './use-links.ts'
import styles from '../payment-links.module.css'

const { filters } = words
const statuses = Object.entries(filters.status) as [LinkStatus | 'ALL', string][]

type FiltersProps = Readonly<{ of: ReturnType<typeof useLinks>; field: RefObject<HTMLInputElement | null> }>

export const Filters = ({ of: { asked, text, ask, type }, field }: FiltersProps) => (
  <form
    role="search"
    class={styles.filters}
    onSubmit={(event) => {
      event.preventDefault()
      ask()
    }}
  >
    <span class={styles.search}>
      <SearchMark />
      <input
        ref={field}
        type="search"
        aria-label={filters.search}
        placeholder={filters.example}
        maxlength={MAX_DISPLAY_LENGTH}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </span>
    <fieldset class="segments">
      <legend class="visually-hidden">{filters.state}</legend>
      {statuses.map(([status, name]) => (
        <label key={status}>
          <input
            type="radio"
            class="visually-hidden"
            name="status"
            checked={status === (asked.status ?? 'ALL')}
            onClick={() => ask({ status: status === 'ALL' ? undefined : status })}
          />
          {name}
        </label>
      ))}
    </fieldset>
  </form>
)
