/** Being written. */
import { Dashboard } from '../parts/dashboard.tsx'

/** The page. */
export const ConnectGoogle = () => <Dashboard title="ConnectGoogle">…</Dashboard>
