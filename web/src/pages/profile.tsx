/** Being written. */
import { Dashboard } from '../parts/dashboard.tsx'

/** The page. */
export const Profile = () => <Dashboard title="Profile">…</Dashboard>
