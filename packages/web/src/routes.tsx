import { Route, Routes } from 'react-router';
import { Layout } from './layout/layout.tsx';
import { NotFoundPage } from './layout/not-found-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { RequireAccount } from './session/require-account.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

export function Pages() {
  return (
    <Routes>
      <Route path="/sign-in" element={<SignInPage />} />
      <Route element={<RequireAccount />}>
        <Route element={<Layout />}>
          <Route index element={<OverviewPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Route>
      </Route>
    </Routes>
  );
}
