/** Being written. */
import { Dashboard } from '../parts/dashboard.tsx'

/** The page. */
export const ApiAccess = () => <Dashboard title="ApiAccess">…</Dashboard>
