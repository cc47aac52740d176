/** Icons. All are decorative: a text beside each says the same. */
import type { ComponentChildren } from 'preact'

const Line = ({ children, size = 20 }: Readonly<{ children: ComponentChildren; size?: number }>) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
)

export const MailMark = () => (
  <Line size={24}>
    <rect x="3" y="5" width="18" height="14" rx="2.5" />
    <path d="m4 7 8 6 8-6" />
  </Line>
)

export const ShieldMark = () => (
  <Line size={24}>
    <path d="M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.5 7-10V6z" />
    <path d="m9 12 2 2 4-4" />
  </Line>
)

export const KeyMark = () => (
  <Line>
    <circle cx="8" cy="15" r="4.5" />
    <path d="m11.5 11.5 8-8M16 7l3 3" />
  </Line>
)

export const HomeMark = () => (
  <Line>
    <path d="m4 11 8-7 8 7v8a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 19zM9.5 20v-6h5v6" />
  </Line>
)

export const LinkMark = () => (
  <Line>
    <path d="M10 14a4 4 0 0 0 5.7 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1" />
    <path d="M14 10a4 4 0 0 0-5.7-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1" />
  </Line>
)

export const AppMark = () => (
  <Line>
    <path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />
  </Line>
)

export const CloseMark = () => (
  <Line>
    <path d="m7 7 10 10M17 7 7 17" />
  </Line>
)

export const ActivityMark = () => (
  <Line>
    <path d="M3 12h4l3 8 4-16 3 8h4" />
  </Line>
)

export const PersonMark = () => (
  <Line>
    <circle cx="12" cy="8" r="4" />
    <path d="M4 21c1-4 4-6 8-6s7 2 8 6" />
  </Line>
)

export const PromptMark = () => (
  <Line>
    <path d="m5 7 5 5-5 5M12 18h7" />
  </Line>
)

export const BookMark = () => (
  <Line>
    <path d="M12 6.5C10 5 7 4.5 3.5 4.5v14c3.5 0 6.5 .5 8.5 2 2-1.5 5-2 8.5-2v-14C17 4.5 14 5 12 6.5zM12 6.5v14" />
  </Line>
)

export const SignInMark = () => (
  <Line>
    <path d="M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 8l4 4-4 4M14 12H4.5" />
  </Line>
)

export const SignOutMark = () => (
  <Line>
    <path d="M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4M15 8l4 4-4 4M19 12H9.5" />
  </Line>
)

export const ChevronMark = () => (
  <Line size={16}>
    <path d="m8 9 4-4 4 4M8 15l4 4 4-4" />
  </Line>
)

export const CopyMark = () => (
  <Line size={16}>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M5 15H4.5A1.5 1.5 0 0 1 3 13.5v-9A1.5 1.5 0 0 1 4.5 3h9A1.5 1.5 0 0 1 15 4.5V5" />
  </Line>
)

export const SearchMark = () => (
  <Line size={16}>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </Line>
)

export const TickMark = () => (
  <Line size={16}>
    <path d="m5 13 4 4L19 7" />
  </Line>
)

export const NextMark = () => (
  <Line size={16}>
    <path d="m9 5 7 7-7 7" />
  </Line>
)

export const WarningMark = () => (
  <Line>
    <path d="M12 4 2.5 20h19zM12 10v4.5M12 17.5v.01" />
  </Line>
)

/** Google's logo; its branding rules fix shape and colours. */
export const GoogleMark = () => (
  <svg width="18" height="18" viewBox="0 0 48 48" aria-hidden="true">
    <path
      fill="#EA4335"
      d="M24 9.5c3.54 0 6.71 1.22 9.21 3.6l6.85-6.85C35.9 2.38 30.47 0 24 0 14.62 0 6.51 5.38 2.56 13.22l7.98 6.19C12.43 13.72 17.74 9.5 24 9.5z"
    />
    <path
      fill="#4285F4"
      d="M46.98 24.55c0-1.57-.15-3.09-.38-4.55H24v9.02h12.94c-.58 2.96-2.26 5.48-4.78 7.18l7.73 6c4.51-4.18 7.09-10.36 7.09-17.65z"
    />
    <path
      fill="#FBBC05"
      d="M10.53 28.59c-.48-1.45-.76-2.99-.76-4.59s.27-3.14.76-4.59l-7.98-6.19C.92 16.46 0 20.12 0 24c0 3.88.92 7.54 2.56 10.78l7.97-6.19z"
    />
    <path
      fill="#34A853"
      d="M24 48c6.48 0 11.93-2.13 15.89-5.81l-7.73-6c-2.15 1.45-4.92 2.3-8.16 2.3-6.26 0-11.57-4.22-13.47-9.91l-7.98 6.19C6.51 42.62 14.62 48 24 48z"
    />
  </svg>
)
