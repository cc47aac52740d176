/** Being written. */
import { Dashboard } from '../parts/dashboard.tsx'

/** The page. */
export const Onboarding = () => <Dashboard title="Onboarding">…</Dashboard>
