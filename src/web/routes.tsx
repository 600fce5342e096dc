/** Every path and its screen. Routes are case-insensitive: /Legal is /legal. */
import type { ComponentType } from 'react';

export interface ScreenRoute {
  path: string;
  lazy: () => Promise<{ Component: ComponentType }>;
}

export const routes: readonly ScreenRoute[] = [
  { path: '/', lazy: () => import('./landing/LandingScreen.tsx') },
  { path: '/register', lazy: () => import('./account-access/RegisterScreen.tsx') },
  { path: '/login', lazy: () => import('./account-access/LoginScreen.tsx') },
  { path: '/forgot-password', lazy: () => import('./account-access/ForgotPasswordScreen.tsx') },
  { path: '/reset-password/:token', lazy: () => import('./account-access/ResetPasswordScreen.tsx') },
  { path: '/change-email', lazy: () => import('./account-access/ChangeEmailScreen.tsx') },
  { path: '/confirm-email-change', lazy: () => import('./account-access/EmailChangeScreen.tsx') },
  { path: '/undo-email-change', lazy: () => import('./account-access/EmailChangeScreen.tsx') },
  { path: '/invitation', lazy: () => import('./account-access/InvitationScreen.tsx') },
  { path: '/verify-email', lazy: () => import('./account-access/VerifyEmailScreen.tsx') },
  { path: '/profile', lazy: () => import('./profile/ProfileScreen.tsx') },
  { path: '/organization/security', lazy: () => import('./organization/SecurityScreen.tsx') },
  { path: '/organization/team', lazy: () => import('./organization/team/TeamScreen.tsx') },
  { path: '/organization/activity', lazy: () => import('./activity/LogScreen.tsx') },
  { path: '/organization/funds', lazy: () => import('./organization/funds/FundsScreen.tsx') },
  { path: '/organization/page', lazy: () => import('./organization/page/PageScreen.tsx') },
  { path: '/events/:eventId/tickets', lazy: () => import('./tickets/TicketsScreen.tsx') },
  { path: '/events/:eventId/guests', lazy: () => import('./guests/GuestsScreen.tsx') },
  { path: '/events/:eventId/comps', lazy: () => import('./comps/CompsScreen.tsx') },
  { path: '/door/:eventId', lazy: () => import('./door/DoorScreen.tsx') },
  { path: '/payment/:eventId', lazy: () => import('./event-page/EventScreen.tsx') },
  { path: '/o/:slug', lazy: () => import('./organizer/OrganizerScreen.tsx') },
  { path: '/checkout/:handle', lazy: () => import('./checkout-page/CheckoutScreen.tsx') },
  { path: '/refund/:eventId', lazy: () => import('./refund/RefundScreen.tsx') },
  { path: '/refund/:eventId/:token', lazy: () => import('./refund/RefundStatusScreen.tsx') },
  { path: '/report/:eventId', lazy: () => import('./report/ReportScreen.tsx') },
  { path: '/contact/:about', lazy: () => import('./contact/ContactScreen.tsx') },
  { path: '/checked-in/:eventId/:token', lazy: () => import('./early-check-in/EarlyCheckInScreen.tsx') },
  { path: '/success', lazy: () => import('./order/OrderScreen.tsx') },
  { path: '/order/:token', lazy: () => import('./order/OrderScreen.tsx') },
  { path: '/ticket/:ticket', lazy: () => import('./order/OrderScreen.tsx') },
  { path: '/scanner', lazy: () => import('./scanner/ScannerScreen.tsx') },
  { path: '/legal', lazy: () => import('./legal/LegalScreen.tsx') },
  { path: '/find-tickets', lazy: () => import('./find-tickets/FindTicketsScreen.tsx') },
  { path: '/privacy', lazy: () => import('./privacy/PrivacyScreen.tsx') },
  { path: '/privacy/:token', lazy: () => import('./privacy/RecordsScreen.tsx') },
  { path: '/faq', lazy: () => import('./faq/FaqScreen.tsx') },
  { path: '/trust', lazy: () => import('./organization/funds/TrustScreen.tsx') },
  { path: '/dashboard', lazy: () => import('./admin/DashboardScreen.tsx') },
  { path: '/dashboard/audit', lazy: () => import('./activity/LogScreen.tsx') },
  { path: '/dashboard/plans', lazy: () => import('./plans/PlansScreen.tsx') },
  { path: '*', lazy: () => import('./shell/NotFound.tsx') },
];
