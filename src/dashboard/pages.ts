// The table of pages, in the order of the navigation, whose label each has in its file. Routes, tests and screenshots come from it.
import { data } from './data/page.tsx';
import type { DashboardPage } from './page.ts';
import { choicesPage } from './pages/choices.tsx';
import { clockPage } from './pages/clock.tsx';
import { comparePage } from './pages/compare.tsx';
import { deliveriesPage } from './pages/deliveries.tsx';
import { deliveryPage } from './pages/delivery-detail.tsx';
import { faultsPage } from './pages/faults.tsx';
import { inboxPage } from './pages/inboxes.tsx';
import { overviewPage } from './pages/overview.tsx';
import { panelPage } from './pages/panel.tsx';
import { requestPage } from './pages/request-detail.tsx';
import { requestsPage } from './pages/requests.tsx';
import { settingsPage } from './pages/settings.tsx';
import { timelinePage } from './pages/timeline.tsx';
import { webhooksPage } from './pages/webhooks.tsx';
import { worldsPage } from './pages/world-list.tsx';

export const PAGES: readonly DashboardPage[] = [
  overviewPage,
  data,
  settingsPage,
  worldsPage,
  requestsPage,
  requestPage,
  webhooksPage,
  deliveriesPage,
  deliveryPage,
  inboxPage,
  timelinePage,
  comparePage,
  clockPage,
  faultsPage,
  choicesPage,
  panelPage,
];
