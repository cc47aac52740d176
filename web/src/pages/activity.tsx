/** Being written. */
import { Dashboard } from '../parts/dashboard.tsx'

/** The page. */
export const Activity = () => <Dashboard title="Activity">…</Dashboard>
