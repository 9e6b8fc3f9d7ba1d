// Renders a screen as the app does, against services that a test writes.
import { createRouterTransport, type ConnectRouter } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { Says } from "../ui/Says";

export function renderWith(routes: (router: ConnectRouter) => void, screen: ReactNode) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <MantineProvider env="test">
      <QueryClientProvider client={cache}>
        <TransportProvider transport={createRouterTransport(routes)}>
          {screen}
          <Says />
        </TransportProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
}
