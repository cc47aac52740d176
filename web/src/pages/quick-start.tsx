/** Being written. */
import { Dashboard } from '../parts/dashboard.tsx'

/** The page. */
export const QuickStart = () => <Dashboard title="QuickStart">…</Dashboard>
