import "@fontsource-variable/inter/index.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { Notifications, useNotifications } from "@mantine/notifications";
import { setNonce } from "get-nonce";
import { useRef } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { router } from "./app/routes";
import { readable, theme } from "./app/theme";
import { Clock } from "./components/RelativeTime";

// The Content-Security-Policy nonce of this response, for style elements that components add at runtime.
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

/** The notifications. Their containers are rendered when the first notification is shown. */
function Messages() {
  const shown = useRef(false);
  const { notifications } = useNotifications();
  shown.current ||= notifications.length > 0;
  return shown.current && <Notifications position="bottom-right" containerWidth={420} />;
}

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <MantineProvider theme={theme} cssVariablesResolver={readable} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <Messages />
    <Clock>
      <RouterProvider router={router} />
    </Clock>
  </MantineProvider>,
);
