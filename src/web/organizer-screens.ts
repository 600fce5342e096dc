/** The code of each screen of organizers and operators. */
export const organizerScreens = {
  '/change-email': () => import('./account-access/ChangeEmailScreen.tsx'),
  '/profile': () => import('./profile/ProfileScreen.tsx'),
  '/organization/security': () => import('./organization/SecurityScreen.tsx'),
  '/organization/team': () => import('./organization/team/TeamScreen.tsx'),
  '/organization/activity': () => import('./activity/LogScreen.tsx'),
  '/organization/funds': () => import('./organization/funds/FundsScreen.tsx'),
  '/events/:eventId/tickets': () => import('./tickets/TicketsScreen.tsx'),
  '/events/:eventId/guests': () => import('./guests/GuestsScreen.tsx'),
  '/events/:eventId/orders': () => import('./orders/OrdersScreen.tsx'),
  '/events/:eventId/comps': () => import('./comps/CompsScreen.tsx'),
  '/door/:eventId': () => import('./door/DoorScreen.tsx'),
  '/dashboard': () => import('./admin/DashboardScreen.tsx'),
  '/dashboard/audit': () => import('./activity/LogScreen.tsx'),
  '/dashboard/plans': () => import('./plans/PlansScreen.tsx'),
  '/events/:eventId/door': () => import('./door/DoorScreen.tsx'),
  '/events/:eventId/money': () => import('./profile/money/MoneyScreen.tsx'),
};
