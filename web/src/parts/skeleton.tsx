import styles from './skeleton.module.css'

type SkeletonProps = Readonly<{
  /** Announced to screen readers while it is shown. */
  label: string
  isShown: boolean
  rows: number
}>

/** The outline of a list that is being loaded. The status element is always present, so that its text is announced. */
export const Skeleton = ({ label, isShown, rows }: SkeletonProps) => (
  <>
    <p role="status" class="visually-hidden">
      {isShown ? label : ''}
    </p>
    {isShown && (
      <div class={`panel ${styles.skeleton}`} aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index}>
            <span />
            <span />
          </div>
        ))}
      </div>
    )}
  </>
)
